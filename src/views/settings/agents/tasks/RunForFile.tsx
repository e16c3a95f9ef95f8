import type { AgentTask } from "../../../../../contract/agent-task-records.ts";
import { FormDialog } from "../../../../components/FormDialog.tsx";
import { useForm } from "../../../../components/use-form.ts";
import { t } from "../../../../lib/texts/agent-tasks.ts";
import { useRunAgentTask } from "../../../../queries/agents/agent-tasks.ts";
import { announce } from "../../../../ui/announce.ts";
import { FileSelect } from "./FileSelect.tsx";

/** Runs a task now for a file that the user chooses. */
export function RunForFile({ task, onClose }: { task: AgentTask; onClose(): void }) {
  const form = useForm(useRunAgentTask(), undefined, { file_id: null as number | null });
  const fileId = form.values.file_id;
  return (
    <FormDialog
      title={t("runFile", { name: task.name })}
      description={t("runHelp")}
      width="sm"
      form={form}
      body={{ id: task.id, fileId }}
      isDisabled={fileId === null}
      onDone={() => {
        announce(t("started", { name: task.name }));
        onClose();
      }}
      onClose={onClose}
      submitLabel={t("run")}
    >
      <FileSelect
        projectId={task.project_id}
        value={fileId}
        isOptional={false}
        onChange={(id) => form.setValues({ file_id: id })}
        error={form.errorOf("file_id", t("file"))}
      />
    </FormDialog>
  );
}
