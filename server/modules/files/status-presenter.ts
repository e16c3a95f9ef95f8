/** Presents the status of a file as a wire record. */
import type * as wire from "../../../contract/records.ts";
import type { Row } from "../../db/schema.ts";

export type StatusFacts = Pick<Row<"file_statuses">, "id" | "title" | "color" | "position">;

export const presentFileStatus = (row: StatusFacts): wire.FileStatus => ({
  id: row.id,
  title: row.title,
  color: row.color,
  position: row.position,
});
