import { Undo2 } from "lucide-react";
import { useState } from "react";
import type { UndoReport } from "../../../../../contract/agent-action-records.ts";
import { ErrorNotice } from "../../../../components/ErrorNotice.tsx";
import { ListState } from "../../../../components/ListSection.tsx";
import { t } from "../../../../lib/texts/agent-activity.ts";
import { ALL_ACTIONS, useAgentActions, useUndoAgentRun } from "../../../../queries/agents/agent-actions.ts";
import { Button } from "../../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../../ui/Dialog.tsx";

function describeReport({ undone_count: count, results }: UndoReport): string {
  const denials = results.flatMap(({ denial }) => denial ?? []);
  const [reason] = denials;
  const undone = t("runUndone", { count });
  return reason === undefined ? undone : `${undone} ${t("runPartly", { count: denials.length, reason })}`;
}

/** Undoes everything that a run did, and says what could not be undone. */
export function UndoRun({ agentId, runId, when }: { agentId: number; runId: number; when: string }) {
  const undo = useUndoAgentRun(agentId);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button size="sm" icon={Undo2} aria-label={t("undoRunLabel", { when })} onClick={() => setIsOpen(true)}>
        {t("undoRun")}
      </Button>
      <p role="status" className="text-sm text-text-2">
        {undo.data && describeReport(undo.data)}
      </p>
      {isOpen && <UndoDialog agentId={agentId} runId={runId} undo={undo} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

interface DialogProps {
  agentId: number;
  runId: number;
  undo: ReturnType<typeof useUndoAgentRun>;
  onClose(): void;
}

/** Lists what the run did, with what can be undone of it. */
function UndoDialog({ agentId, runId, undo, onClose }: DialogProps) {
  const log = useAgentActions(agentId, { ...ALL_ACTIONS, runId });
  const isPossible = log.actions?.some((action) => action.can_undo) ?? true;
  return (
    <Dialog title={t("undoRunTitle")} description={t(isPossible ? "undoRunHelp" : "undoRunNothing")} onClose={onClose} width="sm" lightDismiss>
      <ListState query={{ ...log, data: log.actions }} rows={2} />
      <ul className="flex flex-col gap-2">
        {log.actions?.map(({ id, text, target, undo_denial: denial, undone_at: undoneAt }) => (
          <li key={id} className="min-w-0 text-sm">
            <span className="font-medium">{text}</span>
            {target.name !== null && <span className="wrap-anywhere text-text-2"> {target.name}</span>}
            {(undoneAt !== null || denial !== null) && <span className="block text-text-3">{undoneAt === null ? denial : t("undone")}</span>}
          </li>
        ))}
      </ul>
      <ErrorNotice error={undo.error} className="mt-3" />
      <DialogActions>
        <Button autoFocus onClick={onClose}>
          {t("cancel")}
        </Button>
        <Button variant="danger" disabled={!isPossible} pending={undo.isPending} onClick={() => undo.mutate(runId, { onSuccess: onClose })}>
          {t("confirmUndoRun")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
