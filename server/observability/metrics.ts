/** Counts what the service publishes about its work, and reads how much waits when somebody asks: the metrics of one process. */
import { statfs } from "node:fs/promises";
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import type { ChannelListener, TracingChannel } from "node:diagnostics_channel";
import type { Database } from "../db/database.ts";
import { type AttemptReport, attempts, jobs, requests, transactions } from "../lib/instrumentation.ts";
import { type Backlog, loadBacklog, type Queue } from "./backlog.ts";
import { createRegistry } from "./prometheus.ts";

export interface MetricsOptions {
  database: Database;
  clock: { now(): number };
  version: string;
  /** The folder of database and files, whose disk may fill up. */
  dataDir: string;
  /** Open live connections of this process and their subscriptions; undefined in a worker. */
  countLive?: (() => { sockets: number; subscriptions: number }) | undefined;
  /** Returns undefined in a process that stores no files. */
  isStorageUp?: (() => Promise<boolean | undefined>) | undefined;
  onError(error: unknown): void;
  /** How long a reading of what waits counts, so that many monitors cost no more than one. */
  backlogMaxAgeMs?: number | undefined;
}

export interface Metrics {
  /** Returns the text format of Prometheus. Reads the database at most every few seconds, however often it is called. */
  render(): Promise<string>;
  stop(): void;
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const LONG_SECONDS = [0.1, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3_600];
const MAX_BACKLOG_AGE_MS = 5_000;
const QUANTILES = [50, 99, 100];
/** Interval of the timer whose delay is measured, in milliseconds. */
const LOOP_RESOLUTION_MS = 10;

/** The class of a status such as `2xx`; a response that was not sent completely is `aborted`. */
const statusClass = (status: number | null): string => (status === null ? "aborted" : `${Math.floor(status / 100)}xx`);
/** Outcomes come from our own code, but an unexpected error has none. */
const outcomeOf = ({ outcome }: AttemptReport): string => outcome ?? "error";
const seconds = (since: number): number => (performance.now() - since) / 1_000;
const hasFailed = (report: object): boolean => "error" in report && report.error !== undefined;

export function startMetrics({
  database,
  clock,
  version,
  dataDir,
  countLive,
  isStorageUp,
  onError,
  backlogMaxAgeMs = MAX_BACKLOG_AGE_MS,
}: MetricsOptions): Metrics {
  const registry = createRegistry();
  const requestCount = registry.counter("talkback_requests_total", "Requests by operation of the API and class of status.");
  const requestTime = registry.histogram("talkback_request_seconds", "Time from the headers of a request to the end of its response, by operation.", SECONDS);
  const transactionCount = registry.counter("talkback_transactions_total", "Transactions by outcome.");
  const waitTime = registry.histogram("talkback_transaction_wait_seconds", "Time that transactions wait for the write lock or a connection.", SECONDS);
  const transactionTime = registry.histogram("talkback_transaction_seconds", "Time that transactions hold the write lock or a connection.", SECONDS);
  const jobCount = registry.counter("talkback_job_runs_total", "Runs of jobs by kind and outcome; a file that cannot be processed is an outcome `ended` too.");
  const jobTime = registry.histogram("talkback_job_run_seconds", "Duration of runs of jobs, by kind.", LONG_SECONDS);
  const attemptCount = registry.counter("talkback_delivery_attempts_total", "Attempts to send webhooks, push messages and emails, by channel and outcome.");
  const attemptTime = registry.histogram("talkback_delivery_attempt_seconds", "Duration of attempts, by channel.", SECONDS);

  const stops: (() => void)[] = [];
  const onEnd = <Report extends object>({ asyncEnd }: TracingChannel<unknown, Report>, listener: (report: Report) => void): void => {
    const wrapped: ChannelListener = (message) => listener(message as Report);
    asyncEnd.subscribe(wrapped);
    stops.push(() => asyncEnd.unsubscribe(wrapped));
  };
  onEnd(requests, ({ operation, status, startedAt }) => {
    const label = operation ?? "other";
    requestCount.add({ operation: label, status: statusClass(status) });
    requestTime.observe(seconds(startedAt), { operation: label });
  });
  onEnd(transactions, (report) => {
    const { calledAt, beganAt } = report;
    transactionCount.add({ outcome: hasFailed(report) ? "rolled_back" : "committed" });
    waitTime.observe(((beganAt ?? performance.now()) - calledAt) / 1_000);
    if (beganAt !== null) transactionTime.observe(seconds(beganAt));
  });
  onEnd(jobs, (report) => {
    jobCount.add({ kind: report.kind, outcome: hasFailed(report) ? "error" : "ended" });
    jobTime.observe(seconds(report.startedAt), { kind: report.kind });
  });
  onEnd(attempts, (report) => {
    attemptCount.add({ channel: report.channel, outcome: outcomeOf(report) });
    attemptTime.observe(seconds(report.startedAt), { channel: report.channel });
  });

  const waitingJobs = registry.gauge("talkback_jobs_waiting", "Jobs that wait, by kind.");
  const runningJobs = registry.gauge("talkback_jobs_running", "Jobs that run in any process, by kind.");
  const jobAge = registry.gauge("talkback_jobs_oldest_due_seconds", "How long the oldest due job has waited, by kind.");
  const waitingDeliveries = registry.gauge("talkback_deliveries_waiting", "Webhooks, push messages and emails that wait or are under way, by channel.");
  const deliveryAge = registry.gauge("talkback_deliveries_oldest_due_seconds", "How long the oldest due delivery that nobody sends has waited, by channel.");
  const storedBytes = registry.gauge("talkback_stored_bytes", "Bytes of all files of all organizations.");
  const databaseUp = registry.gauge("talkback_database_up", "1 if the database responded to the last query for these metrics.");
  const storageUp = registry.gauge("talkback_storage_up", "1 if the storage of files responded to the last check.");
  const disk = registry.gauge("talkback_disk_bytes", "Disk of the data folder: bytes that are free for the service, and in all.");
  const live = registry.gauge("talkback_live", "Open live connections of this process, and their subscriptions.");
  const loopDelay = registry.gauge("talkback_event_loop_delay_seconds", "Delay of the event loop since the last scrape, by quantile.");
  const loopActive = registry.gauge("talkback_event_loop_active_ratio", "Share of time since the last scrape that the event loop was busy.");
  const memory = registry.gauge("process_resident_memory_bytes", "Resident memory.");
  const heap = registry.gauge("nodejs_heap_used_bytes", "Used heap of V8.");
  const cpu = registry.counter("process_cpu_seconds_total", "CPU time of the process.");
  registry.gauge("process_start_time_seconds", "Start of the process, in seconds since 1970.").set(performance.timeOrigin / 1_000);
  registry.gauge("talkback_build_info", "Version of Talkback and of Node.").set(1, { version, node: process.versions.node });

  const delays = monitorEventLoopDelay({ resolution: LOOP_RESOLUTION_MS });
  delays.enable();
  let lastUtilization = performance.eventLoopUtilization();
  let countedCpu = 0;

  let backlogRead: { at: number; done: Promise<void> } | null = null;
  const ageOf = ({ oldestDueAt }: Queue, now: number): number => (oldestDueAt === null ? 0 : Math.max(0, now - oldestDueAt) / 1_000);
  function setBacklog(backlog: Backlog, now: number): void {
    for (const gauge of [waitingJobs, runningJobs, jobAge, waitingDeliveries, deliveryAge]) gauge.reset();
    for (const [kind, queue] of backlog.jobs) {
      waitingJobs.set(queue.waiting, { kind });
      runningJobs.set(queue.running, { kind });
      jobAge.set(ageOf(queue, now), { kind });
    }
    for (const [channel, queue] of [["webhook", backlog.deliveries] as const, ...backlog.notifications]) {
      waitingDeliveries.set(queue.waiting, { channel });
      deliveryAge.set(ageOf(queue, now), { channel });
    }
    storedBytes.set(backlog.storedBytes);
  }
  async function readBacklog(): Promise<void> {
    try {
      const now = clock.now();
      setBacklog(await loadBacklog(database, now), now);
      databaseUp.set(1);
    } catch (error) {
      databaseUp.set(0);
      onError(error);
    }
    const space = await statfs(dataDir).catch(() => null);
    if (space) {
      disk.set(space.bavail * space.bsize, { kind: "free" });
      disk.set(space.blocks * space.bsize, { kind: "total" });
    }
  }

  function readProcess(): void {
    // The histogram has the whole time from one tick of the timer to the next.
    const delayAt = (quantile: number): number => Math.max(0, delays.percentile(quantile) / 1e9 - LOOP_RESOLUTION_MS / 1_000);
    if (delays.count > 0) for (const quantile of QUANTILES) loopDelay.set(delayAt(quantile), { quantile: String(quantile / 100) });
    delays.reset();
    const utilization = performance.eventLoopUtilization();
    loopActive.set(performance.eventLoopUtilization(utilization, lastUtilization).utilization);
    lastUtilization = utilization;
    const { rss, heapUsed } = process.memoryUsage();
    memory.set(rss);
    heap.set(heapUsed);
    const { user, system } = process.cpuUsage();
    cpu.add({}, (user + system) / 1e6 - countedCpu);
    countedCpu = (user + system) / 1e6;
    if (countLive) for (const [kind, count] of Object.entries(countLive())) live.set(count, { kind });
  }

  return {
    async render() {
      if (!backlogRead || performance.now() - backlogRead.at > backlogMaxAgeMs) backlogRead = { at: performance.now(), done: readBacklog() };
      const [isUp] = await Promise.all([isStorageUp?.(), backlogRead.done]);
      if (isUp !== undefined) storageUp.set(isUp ? 1 : 0);
      readProcess();
      return registry.render();
    },
    stop() {
      delays.disable();
      for (const stop of stops) stop();
    },
  };
}
