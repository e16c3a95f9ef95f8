/** Presents a team's statuses, in order, as a wire record. */
import { presentFileStatus, type StatusFacts } from "../files/status-presenter.ts";

export const presentStatuses = ({ statuses, defaultId }: { statuses: readonly StatusFacts[]; defaultId: number | null }) => ({
  object: "list" as const,
  data: statuses.map(presentFileStatus),
  default_status_id: defaultId,
});
