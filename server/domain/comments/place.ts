/** Where in a file a comment may stand: on one of its versions, at a time that the version has. */
import type { Db, Row } from "../../db/schema.ts";
import { invalid } from "../../lib/faults.ts";

export interface Place {
  /** Number of the version. */
  version: number;
  positionMs: number | null;
  endMs: number | null;
}
export interface PlaceWish {
  version: number | null;
  positionMs: number | null;
  endMs: number | null;
}

const SECOND = 1_000;
const MOST_VERSIONS = 2 ** 31 - 1;
type Version = Pick<Row<"file_versions">, "number" | "kind" | "duration" | "transcoding_status">;

/** Throws a 400 where the version has no such time. What is not known yet may be anywhere. */
export function demandPosition(version: Omit<Version, "number">, { positionMs, endMs }: Pick<Place, "positionMs" | "endMs">): void {
  if (positionMs === null && endMs !== null) throw invalid("end_ms", "needs position_ms");
  if (positionMs === null) return;
  if (endMs !== null && endMs <= positionMs) throw invalid("end_ms", "must be after position_ms");
  const timeless = version.kind === "image" || (version.kind === "document" && version.transcoding_status === "transcoded");
  if (timeless) throw invalid("position_ms", "must be left out: this file has no time");
  if (version.duration === null || version.duration <= 0) return;
  // A part of a millisecond at the end still belongs to the file.
  const length = Math.ceil(version.duration * SECOND);
  for (const [path, at] of [
    ["position_ms", positionMs],
    ["end_ms", endMs ?? 0],
  ] as const)
    if (at > length) throw invalid(path, `must be within the file, which is ${length} ms long`);
}

/** The place of a comment that is no reply. */
export async function placeOf(db: Db, file: Pick<Row<"files">, "id" | "version_id">, wish: PlaceWish): Promise<Place> {
  const query = db.selectFrom("file_versions").select(["number", "kind", "duration", "transcoding_status"]).where("file_id", "=", file.id);
  // PostgreSQL compares with an int4 and takes a larger number for a fault.
  if (wish.version !== null && wish.version > MOST_VERSIONS) throw invalid("version", "must be a version of this file");
  const version = await (wish.version === null ? query.where("id", "=", file.version_id ?? 0) : query.where("number", "=", wish.version)).executeTakeFirst();
  if (!version) throw invalid("version", "must be a version of this file");
  demandPosition(version, wish);
  return { version: version.number, positionMs: wish.positionMs, endMs: wish.endMs };
}
