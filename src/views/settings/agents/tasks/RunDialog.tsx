import type { AgentTask } from "../../../../../contract/agent-task-records.ts";
import { LIMITS } from "../../../../../contract/limits.ts";
import { FormDialog } from "../../../../components/FormDialog.tsx";
import { useForm } from "../../../../components/use-form.ts";
import { t } from "../../../../lib/texts/agent-tasks.ts";
import { useRunAgentTask } from "../../../../queries/agents/agent-tasks.ts";
import { announce } from "../../../../ui/announce.ts";
import { TextArea } from "../../../../ui/Field.tsx";
import { FileSelect } from "./FileSelect.tsx";

/** Runs a task now for a file that the user chooses, or with a question. */
export function RunDialog({ task, onClose }: { task: AgentTask; onClose(): void }) {
  const form = useForm(useRunAgentTask(), undefined, { file_id: task.file_id, prompt: task.prompt ?? "" });
  const { file_id: fileId, prompt } = form.values;
  const asksQuestion = task.action === "answer";
  const needsFile = task.file_id === null && (!asksQuestion || task.result === "comment");
  return (
    <FormDialog
      title={t(needsFile ? "runFile" : "runQuestion", { name: task.name })}
      description={needsFile && t("runHelp")}
      width="sm"
      form={form}
      body={{ id: task.id, file_id: fileId, ...(asksQuestion ? { prompt: prompt.trim() } : {}) }}
      isDisabled={(needsFile && fileId === null) || (asksQuestion && prompt.trim() === "")}
      onDone={() => {
        announce(t("started", { name: task.name }));
        onClose();
      }}
      onClose={onClose}
      submitLabel={t("run")}
    >
      {asksQuestion && <TextArea {...form.field("prompt", t("question"))} autoFocus rows={3} maxLength={LIMITS.agent_prompt_characters} />}
      {needsFile && (
        <FileSelect
          projectId={task.project_id}
          value={fileId}
          isOptional={false}
          onChange={(id) => form.setValues({ file_id: id })}
          error={form.errorOf("file_id", t("file"))}
        />
      )}
    </FormDialog>
  );
}
