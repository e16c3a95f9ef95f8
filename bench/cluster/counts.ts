/** Compares what was sent to the cluster with what is stored, what pages got, and what was delivered. */
import { createHash } from "node:crypto";
import type { Column, FaultReport } from "../../bin/faults/counts.ts";
import type { LiveEvent } from "../../contract/events.ts";
import type { Database } from "../../server/db/database.ts";
import type { ChatLoad } from "./chat-load.ts";
import type { LiveReader } from "./live-reader.ts";
import { isOk, type Headers, type Send } from "./requests.ts";
import type { UploadLoad } from "./upload-load.ts";
import type { WebhookReceiver } from "./webhook-receiver.ts";

/** `must`: what the count has to be; undefined: it is information. */
export interface Count {
  group: string;
  name: string;
  value: number;
  must?: "zero" | "some";
  /** Its column in the table of `npm run faults`. */
  column?: Column;
}

export const isBad = ({ value, must }: Count): boolean => (must === "zero" && value !== 0) || (must === "some" && value === 0);

/** Returns a line for each count, in which those that must be zero and are not stand out. */
export function formatCounts(counts: readonly Count[]): string {
  const lines: string[] = [];
  let lastGroup = "";
  for (const count of counts) {
    if (count.group !== lastGroup) lines.push("", `  ${count.group}`);
    lastGroup = count.group;
    lines.push(`    ${String(count.value).padStart(7)}  ${count.name}${isBad(count) ? `   <- must ${count.must === "zero" ? "be 0" : "not be 0"}` : ""}`);
  }
  return lines.join("\n");
}

/** Returns a row for each group, for the table of `npm run faults`. `kills`: how many parts of the cluster were killed. */
export function toFaultReports(counts: readonly Count[], kills: number): FaultReport[] {
  const groups = new Map<string, Partial<Record<Column, number>>>();
  for (const { group, value, column } of counts) {
    if (!column) continue;
    const sums = groups.get(group) ?? { broken: kills };
    groups.set(group, { ...sums, [column]: (sums[column] ?? 0) + value });
  }
  return [...groups].map(([group, sums]) => ({ fault: `cluster: ${group}`, on: "postgres", counts: sums }));
}

const countRepeated = (values: readonly unknown[]): number => values.length - new Set(values).size;

export async function countMessages(database: Database, project: number, { acknowledged, refusals, retries }: ChatLoad): Promise<Count[]> {
  const rows = await database.read.selectFrom("messages").select(["id", "client_id"]).where("project_id", "=", project).execute();
  const stored = new Set(rows.map(({ id, client_id }) => `${id} ${client_id}`));
  const group = "messages";
  return [
    { group, name: "acknowledged", value: acknowledged.length, must: "some", column: "acknowledged" },
    { group, name: "sent again after a failure", value: retries },
    { group, name: "lost", value: acknowledged.filter(({ id, clientId }) => !stored.has(`${id} ${clientId}`)).length, must: "zero", column: "lost" },
    { group, name: "doubled", value: countRepeated(rows.map(({ client_id }) => client_id)), must: "zero", column: "doubled" },
    { group, name: "refused", value: refusals.length, must: "zero", column: "unclearFailures" },
  ];
}

export function countLiveEvents(readers: readonly LiveReader[], { acknowledged }: ChatLoad): Count[] {
  const group = "live events";
  let [expected, missing, doubled] = [0, 0, 0];
  for (const { service, events } of readers) {
    const received = new Map<number, number>();
    for (const { type, data } of events) {
      const { id } = data as { id: number };
      if (type === "message.created") received.set(id, (received.get(id) ?? 0) + 1);
    }
    for (const count of received.values()) doubled += count - 1;
    for (const sent of acknowledged) {
      // Pages of the balancer move between services.
      if (service !== null && sent.service === service) continue;
      expected += 1;
      if (!received.has(sent.id)) missing += 1;
    }
  }
  const sum = (of: (reader: LiveReader) => number): number => readers.reduce((total, reader) => total + of(reader), 0);
  return [
    { group, name: "of messages written at another service", value: expected, must: "some", column: "acknowledged" },
    { group, name: "missing", value: missing, must: "zero", column: "lost" },
    { group, name: "doubled", value: doubled, must: "zero", column: "doubled" },
    { group, name: "out of order, or after a gap", value: sum(({ gaps }) => gaps), must: "zero", column: "misplaced" },
    { group, name: "positions reset", value: sum(({ resets }) => resets), must: "zero", column: "misplaced" },
    { group, name: "connections that went on after one was lost", value: sum(({ connections }) => connections) - readers.length },
  ];
}

/** Returns how often a file was announced as processed after it was not. */
function countEnds(events: readonly LiveEvent[], fileId: number): number {
  const states = events.flatMap(({ type, data }) => {
    const { id, transcoding_status } = data as { id?: number; transcoding_status?: string };
    return type.startsWith("file.") && id === fileId ? [transcoding_status] : [];
  });
  return states.filter((state, index) => state === "transcoded" && states[index - 1] !== "transcoded").length;
}

export async function countFiles(database: Database, load: UploadLoad, readers: readonly LiveReader[], send: Send, headers: Headers): Promise<Count[]> {
  const { uploaded, refusals, retries, spread } = load;
  let [different, unprocessed, endedTwice] = [0, 0, 0];
  const ids = uploaded.map(({ fileId }) => fileId);
  const versions = ids.length === 0 ? [] : await database.read.selectFrom("file_versions").selectAll().where("file_id", "in", ids).execute();
  for (const { fileId, sha256 } of uploaded) {
    const answer = await send("GET", `/api/v2/files/${fileId}/versions/1/original`, headers);
    if (!isOk(answer) || createHash("sha256").update(answer.body).digest("hex") !== sha256) different += 1;
    const [version] = versions.filter(({ file_id }) => file_id === fileId);
    if (version?.transcoding_status !== "transcoded") unprocessed += 1;
    else if (readers.some(({ events }) => countEnds(events, fileId) !== 1)) endedTwice += 1;
  }
  // Also files of which nobody was told, because the response was lost.
  const sameContent = await database.read
    .selectFrom("file_versions")
    .innerJoin("blobs", "blobs.key", "file_versions.blob_key")
    .select("file_versions.id")
    .where("blobs.sha256", "in", ["", ...uploaded.map(({ sha256 }) => sha256)])
    .execute();
  const jobs = await database.read.selectFrom("jobs").select(["attempts"]).where("kind", "=", "media").execute();
  return [
    { group: "uploads", name: "finished", value: uploaded.length, must: "some", column: "acknowledged" },
    { group: "uploads", name: "with parts at several services", value: spread, must: "some" },
    { group: "uploads", name: "parts sent again after a failure", value: retries },
    { group: "uploads", name: "with another SHA-256", value: different, must: "zero", column: "lost" },
    {
      group: "uploads",
      name: "two files of one upload",
      value: sameContent.length - new Set(uploaded.map(({ sha256 }) => sha256)).size,
      must: "zero",
      column: "doubled",
    },
    { group: "uploads", name: "refused", value: refusals.length, must: "zero", column: "unclearFailures" },
    { group: "processing", name: "files processed", value: uploaded.length - unprocessed, must: "some", column: "acknowledged" },
    { group: "processing", name: "taken over from a killed worker", value: jobs.filter(({ attempts }) => attempts > 1).length, column: "resumed" },
    { group: "processing", name: "not processed", value: unprocessed, must: "zero", column: "lost" },
    { group: "processing", name: "announced as processed not once", value: endedTwice, must: "zero", column: "doubled" },
  ];
}

export function countWebhooks({ byEventId }: WebhookReceiver, { acknowledged }: ChatLoad, { uploaded }: UploadLoad): Count[] {
  const received = [...byEventId.values()];
  const accepted = received.filter((one) => one.accepted > 0).map(({ type, recordId }) => `${type} ${recordId}`);
  const expected = [...acknowledged.map(({ id }) => `message.created ${id}`), ...uploaded.map(({ fileId }) => `file.uploaded ${fileId}`)];
  const delivered = new Set(accepted);
  const group = "webhook events";
  return [
    { group, name: "expected", value: expected.length, must: "some", column: "acknowledged" },
    { group, name: "lost", value: expected.filter((key) => !delivered.has(key)).length, must: "zero", column: "lost" },
    { group, name: "sent under two ids", value: countRepeated(received.map(({ type, recordId }) => `${type} ${recordId}`)), must: "zero", column: "doubled" },
    { group, name: "sent again under the same id", value: received.reduce((sum, one) => sum + Math.max(0, one.accepted - 1), 0), column: "repeated" },
    { group, name: "sent again with another body", value: received.filter(({ bodies }) => bodies.size > 1).length, must: "zero", column: "doubled" },
  ];
}
