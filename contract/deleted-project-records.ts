import * as z from "zod/mini";
import { paletteColor } from "./records.ts";
import { id, timestamp } from "./text.ts";

/** A deleted project, which can be restored with everything in it until `restorable_until`. */
export const deletedProject = z.looseObject({
  id,
  team_id: id,
  name: z.string(),
  color: paletteColor,
  deleted_at: timestamp,
  deleted_by_account_id: id,
  restorable_until: timestamp,
  /** Without files that were deleted before. */
  file_count: z.int(),
});
export type DeletedProject = z.infer<typeof deletedProject>;
