import type { ReactNode } from "react";
import { ArchivedContext } from "../../queries/permissions.ts";
import { useProject } from "../../queries/projects.ts";

/** Offers no changes in its children while the project of the record that they show is archived. */
export function InProject({ id, children }: { id: number; children: ReactNode }) {
  return <ArchivedContext value={Boolean(useProject(id).data?.archived_at)}>{children}</ArchivedContext>;
}
