"""Four TCP transfers through one drop-tail port in ns-3, run on request: a process of its own.

It needs ns-3's Python bindings (`pip install ns3`), and answers with the bytes delivered, when the
last arrived, the packets sent by the port and those dropped there.
"""

from functools import partial

from benchmarks.elsewhere import answer_all

FLOWS = 4
SIZE_BYTES = 8_000_000
SEGMENT_BYTES = 1448
WIRE_BYTES = 1502  # and headers: TCP with time stamps 32, IPv4 20, point-to-point 2
PORT_BPS = 100_000_000
BUFFER_PACKETS = 100
HOP_DELAY_S = 50e-6
TIMEOUT_S = 0.2

_WATCHERS = """
namespace watch {
using namespace ns3;
uint64_t bytes, sent, dropped;
double last_s;
void Received(Ptr<const Packet> p, const Address&) {
  bytes += p->GetSize();
  last_s = Simulator::Now().GetSeconds();
}
void Sent(Ptr<const Packet>) { sent++; }
void Dropped(Ptr<const Packet>) { dropped++; }
void Sink(Ptr<Application> sink) {
  sink->TraceConnectWithoutContext("Rx", MakeCallback(&Received));
}
void Port(Ptr<NetDevice> device) {
  device->TraceConnectWithoutContext("PhyTxEnd", MakeCallback(&Sent));
  // A full device stops its queue, and the layer above it drops.
  auto layer = device->GetNode()->GetObject<TrafficControlLayer>();
  layer->TraceConnectWithoutContext("TcDrop", MakeCallback(&Dropped));
}
}
"""


def _configure(ns):
    def default(name, value):
        ns.Config.SetDefault(f"ns3::{name}", value)

    default("TcpSocket::SegmentSize", ns.UintegerValue(SEGMENT_BYTES))
    default("TcpSocket::SndBufSize", ns.UintegerValue(4_000_000))
    default("TcpSocket::RcvBufSize", ns.UintegerValue(4_000_000))
    default("TcpSocket::InitialCwnd", ns.UintegerValue(10))
    default("TcpSocket::DelAckCount", ns.UintegerValue(1))
    default("TcpSocketBase::MinRto", ns.TimeValue(ns.Seconds(TIMEOUT_S)))
    new_reno = ns.TypeId.LookupByName("ns3::TcpNewReno")
    default("TcpL4Protocol::SocketType", ns.TypeIdValue(new_reno))


def _link(ns, here, there, rate_bps, network, queue_packets):
    helper = ns.PointToPointHelper()
    helper.SetDeviceAttribute("DataRate", ns.StringValue(f"{rate_bps}bps"))
    helper.SetChannelAttribute("Delay", ns.StringValue(f"{round(HOP_DELAY_S * 1e9)}ns"))
    size = ns.StringValue(f"{queue_packets}p")
    helper.SetQueue("ns3::DropTailQueue<Packet>", "MaxSize", size)
    devices = helper.Install(here, there)
    addresses = ns.Ipv4AddressHelper()
    addresses.SetBase(ns.Ipv4Address(network), ns.Ipv4Mask("255.255.255.0"))
    interfaces = addresses.Assign(devices)
    ns.TrafficControlHelper().Uninstall(devices)  # the port's own queue is the only one
    return devices.Get(0), interfaces.GetAddress(1)


def _run(ns, watch):
    watch.bytes = watch.sent = watch.dropped = 0
    nodes = ns.NodeContainer()
    nodes.Create(3)
    sender, switch, receiver = (nodes.Get(k) for k in range(3))
    ns.InternetStackHelper().Install(nodes)
    _link(ns, sender, switch, 100 * PORT_BPS, "10.1.1.0", 10_000)
    port, address = _link(ns, switch, receiver, PORT_BPS, "10.1.2.0", BUFFER_PACKETS)
    watch.Port(port)
    ns.Ipv4GlobalRoutingHelper.PopulateRoutingTables()
    for flow in range(FLOWS):
        here = ns.InetSocketAddress(ns.Ipv4Address.GetAny(), 5000 + flow).ConvertTo()
        there = ns.InetSocketAddress(address, 5000 + flow).ConvertTo()
        sinks = ns.PacketSinkHelper("ns3::TcpSocketFactory", here).Install(receiver)
        watch.Sink(sinks.Get(0))
        source = ns.BulkSendHelper("ns3::TcpSocketFactory", there)
        source.SetAttribute("MaxBytes", ns.UintegerValue(SIZE_BYTES))
        source.Install(sender).Start(ns.Seconds(0.001 * flow))
    ns.Simulator.Stop(ns.Seconds(1000))
    ns.Simulator.Run()
    ns.Simulator.Destroy()
    counts = {"bytes": int(watch.bytes), "sent": int(watch.sent), "dropped": int(watch.dropped)}
    return {**counts, "last_s": float(watch.last_s)}


def _prepare():
    from ns import ns  # it prints while it loads

    ns.cppyy.cppdef(_WATCHERS)
    _configure(ns)
    return partial(_run, ns, ns.cppyy.gbl.watch)


if __name__ == "__main__":
    answer_all(_prepare)
