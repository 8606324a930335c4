"""The names that `tunables` offers, and where each is defined.

Type checkers read this file, and so does `tunables.names`, which loads a name when it is used.
"""

from tunables.core.case import Case as Case
from tunables.core.fit import Fit as Fit
from tunables.core.registry import (
    case_names as case_names,
    cases as cases,
    find_case as find_case,
    fit_path as fit_path,
    fit_source as fit_source,
)
from tunables.evidence.errata import Erratum as Erratum, errata as errata
from tunables.evidence.published import Record as Record, published as published, tables as tables
from tunables.simulators.batches import (
    simulate_batches as simulate_batches,
    trace_batches as trace_batches,
)
from tunables.simulators.caches import (
    CacheTrace as CacheTrace,
    simulate_policy as simulate_policy,
    trace_policy as trace_policy,
)
from tunables.simulators.closed_system import simulate_closed_system as simulate_closed_system
from tunables.simulators.cyclic_queues import simulate_cyclic_queues as simulate_cyclic_queues
from tunables.simulators.event_loop import (
    EventLoopTrace as EventLoopTrace,
    LoopEvents as LoopEvents,
    Queue as Queue,
    simulate_event_loop as simulate_event_loop,
    trace_event_loop as trace_event_loop,
)
from tunables.simulators.flows import (
    simulate_flows as simulate_flows,
    simulate_queue as simulate_queue,
)
from tunables.simulators.group_commits import (
    Commits as Commits,
    simulate_group_commits as simulate_group_commits,
    trace_group_commits as trace_group_commits,
)
from tunables.simulators.hedged_requests import (
    HedgedRequests as HedgedRequests,
    simulate_hedged_requests as simulate_hedged_requests,
)
from tunables.simulators.packets import (
    PacketRun as PacketRun,
    simulate_packets as simulate_packets,
    trace_packets as trace_packets,
)
from tunables.simulators.queries import Queries as Queries, simulate_queries as simulate_queries
from tunables.simulators.retry_callers import simulate_retry_callers as simulate_retry_callers
from tunables.simulators.retry_storm import (
    simulate_retry_storm as simulate_retry_storm,
    trace_retry_storm as trace_retry_storm,
)
from tunables.simulators.shards import (
    Sample as Sample,
    sample_chunk as sample_chunk,
    sample_trace as sample_trace,
    sampled_miss_ratios as sampled_miss_ratios,
)
from tunables.simulators.stack import (
    miss_ratio_curve as miss_ratio_curve,
    stack_distances as stack_distances,
)
from tunables.simulators.tandem import (
    TandemTrace as TandemTrace,
    simulate_tandem as simulate_tandem,
    trace_tandem as trace_tandem,
)
from tunables.simulators.tcp_rounds import (
    RoundsTrace as RoundsTrace,
    loss_gaps as loss_gaps,
    simulate_tcp_rounds as simulate_tcp_rounds,
    trace_tcp_rounds as trace_tcp_rounds,
)
from tunables.simulators.traces import (
    cyclic_trace as cyclic_trace,
    grown_trace as grown_trace,
    key_trace as key_trace,
    mixed_trace as mixed_trace,
    shuffled_trace as shuffled_trace,
    zigzag_trace as zigzag_trace,
    zipf_trace as zipf_trace,
)
from tunables.simulators.work_queue import Drain as Drain, drain_work_queue as drain_work_queue
from tunables.theory.blob_storage import (
    best_page_bytes as best_page_bytes,
    file_cost as file_cost,
    interior_fanout as interior_fanout,
    largest_payload as largest_payload,
    local_bytes as local_bytes,
    pages_of as pages_of,
    row_cost as row_cost,
    rows_per_leaf as rows_per_leaf,
    threshold_pages as threshold_pages,
)
from tunables.theory.cache_memory import (
    clock_rounds as clock_rounds,
    grown_hit_ratio as grown_hit_ratio,
)
from tunables.theory.caching import (
    che_approximation as che_approximation,
    cliff_capacity as cliff_capacity,
    cycle_time as cycle_time,
    cyclic_hit_ratio as cyclic_hit_ratio,
    random_capacity as random_capacity,
    shuffled_hit_ratio as shuffled_hit_ratio,
    slowdown as slowdown,
    zigzag_hit_ratio as zigzag_hit_ratio,
)
from tunables.theory.closed_network import closed_network_throughput as closed_network_throughput
from tunables.theory.closed_queueing import (
    asymptotic_bounds as asymptotic_bounds,
    interactive_throughput as interactive_throughput,
    machine_repair as machine_repair,
    mva as mva,
)
from tunables.theory.deadlines import (
    deadline_fixed_points as deadline_fixed_points,
    deadline_safe_load as deadline_safe_load,
    deadline_success as deadline_success,
)
from tunables.theory.duplicates import (
    copy_fixed_points as copy_fixed_points,
    late_share as late_share,
    least_delay as least_delay,
    safe_budget as safe_budget,
)
from tunables.theory.erlang import erlang_b as erlang_b, erlang_c as erlang_c
from tunables.theory.gamma_slices import (
    continuation_probabilities as continuation_probabilities,
    expected_cycles_per_run as expected_cycles_per_run,
    slice_moments as slice_moments,
)
from tunables.theory.gathering import (
    expected_unique_fraction as expected_unique_fraction,
    unique_fraction_alone as unique_fraction_alone,
)
from tunables.theory.granularity import granularity_runs as granularity_runs
from tunables.theory.granularity_paths import (
    mean_cost_between as mean_cost_between,
    path_between as path_between,
    runs_between as runs_between,
)
from tunables.theory.group_commit import (
    adaptive_flush_wait as adaptive_flush_wait,
    closed_group_commit as closed_group_commit,
    delay_for_flush_share as delay_for_flush_share,
    poisson_group_commit as poisson_group_commit,
)
from tunables.theory.hedging import (
    any_slow as any_slow,
    hedged_quantile as hedged_quantile,
    hedged_tail as hedged_tail,
    most_leaves_share as most_leaves_share,
    slowest_leaf_share as slowest_leaf_share,
)
from tunables.theory.last_packet import last_packet_times as last_packet_times
from tunables.theory.latency_tails import (
    tail_at as tail_at,
    tail_points as tail_points,
    time_at as time_at,
)
from tunables.theory.mg1 import (
    cobham_waits as cobham_waits,
    mg1_fb_response as mg1_fb_response,
    mg1_fifo_response as mg1_fifo_response,
    mg1_ps_response as mg1_ps_response,
)
from tunables.theory.operational_laws import (
    service_demand as service_demand,
    utilisation as utilisation,
)
from tunables.theory.pipelines import (
    lag_drain_time as lag_drain_time,
    pipeline_throughput as pipeline_throughput,
    two_stage_throughput as two_stage_throughput,
)
from tunables.theory.retries import (
    backoff_total as backoff_total,
    closed_storm_rate as closed_storm_rate,
    drain_time_s as drain_time_s,
    retry_fixed_points as retry_fixed_points,
    retry_quantile as retry_quantile,
    retry_statistics as retry_statistics,
)
from tunables.theory.shared_port import (
    calibrate_delay as calibrate_delay,
    completion_times as completion_times,
    fifo_response as fifo_response,
    flowlet_priority_fraction as flowlet_priority_fraction,
)
from tunables.theory.slicing import (
    can_have_made as can_have_made,
    cycles_per_run as cycles_per_run,
    hold_timer_expiry_probability as hold_timer_expiry_probability,
    least_longest_run as least_longest_run,
    limiting_granularity as limiting_granularity,
    mean_timer_lateness as mean_timer_lateness,
    timer_lateness_survival as timer_lateness_survival,
)
from tunables.theory.special import regularised_lower_gamma as regularised_lower_gamma
from tunables.theory.stolen_slices import (
    stolen_continuation_probabilities as stolen_continuation_probabilities,
)
from tunables.theory.tcp import (
    bandwidth_delay_product as bandwidth_delay_product,
    cubic_loss as cubic_loss,
    cubic_throughput as cubic_throughput,
    mathis_throughput as mathis_throughput,
    slow_start_rounds as slow_start_rounds,
    window_limited_throughput as window_limited_throughput,
)
from tunables.theory.waiting_callers import (
    any_answer_rates as any_answer_rates,
    safe_callers as safe_callers,
    waiting_callers_rate as waiting_callers_rate,
)
from tunables.views.explorer import explore as explore

__version__: str
