import { useState } from "react";
import type { Project } from "../../../contract/records.ts";
import { t } from "../../lib/texts/projects.ts";
import { useCan } from "../../queries/permissions.ts";
import { Button } from "../../ui/Button.tsx";
import { useProjectActions } from "./use-project-actions.ts";

interface Props {
  project: Pick<Project, "id" | "name">;
  label?: string;
  /** Moves the focus elsewhere, because the button disappears. */
  onDone(): void;
}

/** Unarchives a project, for those who may. */
export function UnarchiveButton({ project, label, onDone }: Props) {
  const { setArchived } = useProjectActions();
  const [isPending, setIsPending] = useState(false);
  if (!useCan("project.edit")) return null;
  async function unarchive(): Promise<void> {
    setIsPending(true);
    if (await setArchived(project, false)) onDone();
    setIsPending(false);
  }
  return (
    <Button size="sm" aria-label={label} pending={isPending} onClick={() => void unarchive()}>
      {t("unarchive")}
    </Button>
  );
}
