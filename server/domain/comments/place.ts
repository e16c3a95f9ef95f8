/** Validates the position of a comment: one of the file's versions, and a time within that version. */
import type { Db, Row } from "../../db/schema.ts";
import { invalid } from "../../lib/faults.ts";

export interface CommentPosition {
  /** Version number. */
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

/** Throws a 400 if the version has no such time; accepts any time while the duration is unknown. */
export function assertPosition(version: Omit<Version, "number">, { positionMs, endMs }: Pick<CommentPosition, "positionMs" | "endMs">): void {
  if (positionMs === null && endMs !== null) throw invalid("end_ms", "requires position_ms");
  if (positionMs === null) return;
  if (endMs !== null && endMs <= positionMs) throw invalid("end_ms", "must be after position_ms");
  const hasNoTimeline = version.kind === "image" || (version.kind === "document" && version.transcoding_status === "transcoded");
  if (hasNoTimeline) throw invalid("position_ms", "must be omitted: this file has no timeline");
  if (version.duration === null || version.duration <= 0) return;
  // Rounds up, because a fraction of a millisecond at the end still belongs to the file.
  const durationMs = Math.ceil(version.duration * MS_PER_SECOND);
  for (const [path, timeMs] of [
    ["position_ms", positionMs],
    ["end_ms", endMs ?? 0],
  ] as const)
    if (timeMs > durationMs) throw invalid(path, `must be within the file, which is ${durationMs} ms long`);
}

/** Returns the position of a root comment; throws a 400 if it is invalid. */
export async function resolvePosition(db: Db, file: Pick<Row<"files">, "id" | "version_id">, input: PositionInput): Promise<CommentPosition> {
  const query = db.selectFrom("file_versions").select(["number", "kind", "duration", "transcoding_status"]).where("file_id", "=", file.id);
  // PostgreSQL compares with an int4 and rejects larger numbers with an error.
  if (input.version !== null && input.version > MAX_VERSION_NUMBER) throw invalid("version", "must be a version of this file");
  const version = await (input.version === null ? query.where("id", "=", file.version_id ?? 0) : query.where("number", "=", input.version)).executeTakeFirst();
  if (!version) throw invalid("version", "must be a version of this file");
  assertPosition(version, input);
  return { version: version.number, positionMs: input.positionMs, endMs: input.endMs };
}
