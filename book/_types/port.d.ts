// Chapter 4: the run of a port, a number a packet in each column, in the order in which they came.
interface PortColumns {
  watched: number; // user, from 0; whoever has a number of `users` or more is a large flow
  users: number;
  ahead: number; // how many packets of a flow go ahead
  packets: number; // of a transaction of the watched user
  gap: string; // the pause that ends a flow
  end: number; // microseconds
  formula: number | null; // milliseconds until the last packet has left, by the closed form
  offered: number[]; // microseconds after the one before
  waits: number[]; // until it was on the wire
  takes: number[]; // there
  user: number[];
  number: number[]; // of the packet in its transaction, from 0
  lane: number[]; // 0: ahead, 1: ordinary
}

// The packets of one lane, in the order in which it serves them; times in milliseconds.
interface Lane {
  rows: Int32Array;
  came: Float64Array;
  onWire: Float64Array;
}

interface Transaction {
  rows: number[]; // of its packets, in order
  begun: number;
  left: number[]; // when each packet has left the port
  done: number; // when the last has
}

interface Port extends PortColumns {
  came: Float64Array; // milliseconds, as all that follows
  onWire: Float64Array;
  left: Float64Array;
  lanes: Lane[]; // ahead, ordinary
  most: number[]; // packets in each at once
  wire: Int32Array; // rows in the order in which they are sent
  wireAt: Float64Array;
  transactions: Transaction[]; // of the watched user
  begun: Float64Array; // when each has
  begins: Float64Array; // when something happens to them; the last is the end
}

interface Packet {
  row: number;
  kind: 'watched' | 'small' | 'large';
  number: number; // from 1
  lane: number;
}

interface PortState {
  trace: Port;
  t: number;
  lanes: Packet[][]; // ahead, ordinary; the next one out first
  wire: (Packet & { part: number }) | null; // and how much of it is sent
  nth: number; // the transaction that began last, from 0; -1: none
  transaction: Transaction | null;
  gone: number; // how many of its packets
  since: number; // it began
  finished: number; // transactions
  mean: number | null; // time that these took
}
