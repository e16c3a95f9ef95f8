/** Puts load on a cluster, kills each of its parts in turn meanwhile, and counts what was lost or doubled. */
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresDatabase, type Database } from "../../server/db/database.ts";
import { startChatLoad, type ChatLoad } from "./chat-load.ts";
import type { Cluster } from "./cluster.ts";
import { countFiles, countLiveEvents, countMessages, countWebhooks, type Count } from "./counts.ts";
import { startLiveReader, type LiveReader } from "./live-reader.ts";
import { createPeople, type People } from "./people.ts";
import { createSend } from "./requests.ts";
import { startUploadLoad, type UploadLoad } from "./upload-load.ts";
import { startWebhookReceiver, type WebhookReceiver } from "./webhook-receiver.ts";

/** Name of a count. */
export const KILLS = "parts killed and started again";
const WRITERS = 4;
/** How long the cluster has after the load to do the rest: the lease of what a killed worker had is a minute. */
const REST_MS = 100_000;
const CHECK_MS = 500;

export interface RunOptions {
  /** How long the load lasts. Each part is killed once in this time. */
  seconds: number;
  onProgress(text: string): void;
}

interface Loads {
  chat: ChatLoad;
  upload: UploadLoad;
  receiver: WebhookReceiver;
  readers: LiveReader[];
}

const describeLoads = ({ chat, upload, receiver }: Loads): string =>
  `${chat.acknowledged.length} messages, ${upload.uploaded.length} files, ${receiver.byEventId.size} webhook events`;

/** Kills one part after the other, evenly over the time. */
async function breakEach(parts: Cluster["parts"], loads: Loads, { seconds, onProgress }: RunOptions): Promise<number> {
  const startedAt = performance.now();
  for (const [index, part] of parts.entries()) {
    const dueAt = startedAt + ((index + 0.5) * seconds * 1_000) / parts.length;
    await sleep(Math.max(0, dueAt - performance.now()));
    onProgress(`kill -9: ${part.name} (so far ${describeLoads(loads)})`);
    await part.killAndRestart();
    onProgress(`${part.name} is back`);
  }
  await sleep(Math.max(0, startedAt + seconds * 1_000 - performance.now()));
  return parts.length;
}

/** Waits until nothing is left to do, or the time for it is over. */
async function awaitRest(database: Database, { chat, upload, readers, receiver }: Loads, project: number): Promise<void> {
  for (const deadline = performance.now() + REST_MS; performance.now() < deadline; await sleep(CHECK_MS)) {
    const jobs = await database.read.selectFrom("jobs").select("id").where("state", "in", ["waiting", "running"]).limit(1).execute();
    const deliveries = await database.read.selectFrom("deliveries").select("id").where("state", "=", "pending").limit(1).execute();
    const topic = await database.read.selectFrom("topics").select("seq").where("topic", "=", `project:${project}`).executeTakeFirstOrThrow();
    const areReadersDone = readers.every(({ events }) => events.at(-1)?.seq === topic.seq);
    const isDelivered = receiver.byEventId.size >= chat.acknowledged.length + upload.uploaded.length;
    if (jobs.length === 0 && deliveries.length === 0 && areReadersDone && isDelivered) return;
  }
}

/** Every page shows all people who have the project open, wherever they are connected. */
async function countWrongPresence(readers: readonly LiveReader[], people: People): Promise<Count> {
  const everybody = people.members
    .slice(0, readers.length)
    .map(({ id }) => id)
    .join();
  const findWrong = () => readers.filter(({ present }) => present.join() !== everybody);
  // What a killed process had announced is forgotten after 16 seconds.
  for (const deadline = performance.now() + 25_000; findWrong().length > 0 && performance.now() < deadline; await sleep(CHECK_MS));
  return { group: "presence", name: "pages that show other people than are there", value: findWrong().length, must: "zero", column: "leftovers" };
}

/** Runs the load and the faults on a new cluster. Rejects only if the cluster cannot be used at all. */
export async function runFaults(cluster: Cluster, options: RunOptions): Promise<Count[]> {
  const { seconds, onProgress } = options;
  const ending = new AbortController();
  const receiver = await startWebhookReceiver();
  const database = openPostgresDatabase(cluster.databaseUrl);
  const readers: LiveReader[] = [];
  try {
    const people = await createPeople(cluster, cluster.servicePorts.length * 2, receiver.url);
    const send = createSend(cluster.balancer, ending.signal);
    let isOver = false;
    const topic = `project:${people.project}`;
    // A page at each service, and as many behind the one address.
    for (const [index, { headers }] of people.members.entries()) {
      const service = index < cluster.servicePorts.length ? index : null;
      readers.push(startLiveReader({ port: service === null ? cluster.balancer.port : cluster.servicePorts[service]!, service, topic, headers }));
    }
    const writers = people.members.slice(0, WRITERS).map(({ headers }) => headers);
    const chat = startChatLoad(send, { project: people.project, people: writers, isOver: () => isOver });
    const upload = startUploadLoad(send, { folder: people.folder, headers: people.owner, isOver: () => isOver });
    const loads: Loads = { chat, upload, receiver, readers };
    onProgress(`${writers.length} people write, one uploads, and ${readers.length} pages follow, for ${seconds} s`);
    const kills = await breakEach(cluster.parts, loads, options);
    isOver = true;
    onProgress(`the load ends: ${describeLoads(loads)}. Waiting for the rest, at most ${REST_MS / 1_000} s`);
    const timeout = sleep(REST_MS, "late", { ref: false });
    if ((await Promise.race([Promise.all([chat.done, upload.done]), timeout])) === "late") onProgress("some requests never succeeded");
    await awaitRest(database, loads, people.project);
    return [
      { group: "faults", name: KILLS, value: kills, must: "some" },
      {
        group: "faults",
        name: "parts that ended by themselves",
        value: cluster.parts.filter((part) => part.hasEnded()).length,
        must: "zero",
        column: "unclearFailures",
      },
      ...(await countMessages(database, people.project, chat)),
      ...countLiveEvents(readers, chat),
      ...(await countFiles(database, upload, readers, send, people.owner)),
      ...countWebhooks(receiver, chat, upload),
      await countWrongPresence(readers, people),
    ];
  } finally {
    ending.abort();
    await Promise.all(readers.map((reader) => reader.close()));
    receiver.close();
    await database.close();
  }
}
