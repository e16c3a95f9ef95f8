/** Where in a file a comment may stand: on one of its versions, at a time that the version has. */
import type { Db, Row } from "../../db/schema.ts";
import { invalid } from "../../lib/faults.ts";

export interface CommentPosition {
  /** Number of the version. */
  version: number;
  positionMs: number | null;
  endMs: number | null;
}
export interface PositionInput {
  version: number | null;
  positionMs: number | null;
  endMs: number | null;
}

const MS_PER_SECOND = 1_000;
const MAX_VERSION_NUMBER = 2 ** 31 - 1;
type Version = Pick<Row<"file_versions">, "number" | "kind" | "duration" | "transcoding_status">;

/** Throws a 400 where the version has no such time. What is not known yet may be anywhere. */
export function assertPosition(version: Omit<Version, "number">, { positionMs, endMs }: Pick<CommentPosition, "positionMs" | "endMs">): void {
  if (positionMs === null && endMs !== null) throw invalid("end_ms", "needs position_ms");
  if (positionMs === null) return;
  if (endMs !== null && endMs <= positionMs) throw invalid("end_ms", "must be after position_ms");
  const hasNoTimeline = version.kind === "image" || (version.kind === "document" && version.transcoding_status === "transcoded");
  if (hasNoTimeline) throw invalid("position_ms", "must be left out: this file has no time");
  if (version.duration === null || version.duration <= 0) return;
  // A part of a millisecond at the end still belongs to the file.
  const durationMs = Math.ceil(version.duration * MS_PER_SECOND);
  for (const [path, timeMs] of [
    ["position_ms", positionMs],
    ["end_ms", endMs ?? 0],
  ] as const)
    if (timeMs > durationMs) throw invalid(path, `must be within the file, which is ${durationMs} ms long`);
}

/** The place of a comment that is no reply. */
export async function resolvePosition(db: Db, file: Pick<Row<"files">, "id" | "version_id">, input: PositionInput): Promise<CommentPosition> {
  const query = db.selectFrom("file_versions").select(["number", "kind", "duration", "transcoding_status"]).where("file_id", "=", file.id);
  // PostgreSQL compares with an int4 and takes a larger number for a fault.
  if (input.version !== null && input.version > MAX_VERSION_NUMBER) throw invalid("version", "must be a version of this file");
  const version = await (input.version === null ? query.where("id", "=", file.version_id ?? 0) : query.where("number", "=", input.version)).executeTakeFirst();
  if (!version) throw invalid("version", "must be a version of this file");
  assertPosition(version, input);
  return { version: version.number, positionMs: input.positionMs, endMs: input.endMs };
}
