import { Undo2 } from "lucide-react";
import { useState } from "react";
import type { UndoReport } from "../../../../../contract/agent-action-records.ts";
import { ConfirmAction } from "../../../../components/FormDialog.tsx";
import { t } from "../../../../lib/texts/agent-activity.ts";
import { useUndoAgentRun } from "../../../../queries/agents/agent-actions.ts";
import { Button } from "../../../../ui/Button.tsx";

function describeReport({ undone_count: count, results }: UndoReport): string {
  const denials = results.flatMap(({ denial }) => denial ?? []);
  const [reason] = denials;
  const undone = count === 0 && reason === undefined ? t("runNothing") : t("runUndone", { count });
  return reason === undefined ? undone : `${undone} ${t("runPartly", { count: denials.length, reason })}`;
}

/** Undoes everything that a run did, and says what could not be undone. */
export function UndoRun({ agentId, runId, when }: { agentId: number; runId: number; when: string }) {
  const undo = useUndoAgentRun(agentId);
  const [isAsking, setIsAsking] = useState(false);
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button size="sm" icon={Undo2} aria-label={t("undoRunLabel", { when })} onClick={() => setIsAsking(true)}>
        {t("undoRun")}
      </Button>
      <p role="status" className="text-sm text-text-2">
        {undo.data && describeReport(undo.data)}
      </p>
      {isAsking && (
        <ConfirmAction
          action={undo}
          title={t("undoRunTitle")}
          description={t("undoRunHelp")}
          confirmLabel={t("confirmUndoRun")}
          onConfirm={() => undo.mutate(runId, { onSuccess: () => setIsAsking(false) })}
          onClose={() => setIsAsking(false)}
        />
      )}
    </div>
  );
}
