/** The lists of an endpoint, which are stored as JSON. */
import type { Row } from "../../db/schema.ts";

export const parseTypes = ({ event_types }: Pick<Row<"webhook_endpoints">, "event_types">): string[] => JSON.parse(event_types) as string[];
/** null: every project, of a subscription those of its agent. */
export const parseProjectIds = ({ project_ids }: Pick<Row<"webhook_endpoints">, "project_ids">): number[] | null =>
  project_ids === null ? null : (JSON.parse(project_ids) as number[]);
