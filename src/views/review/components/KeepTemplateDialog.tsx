import { useState } from "react";
import { createTaskTemplate as operation } from "../../../../contract/operations/tasks.ts";
import type { Task } from "../../../../contract/task-records.ts";
import { t } from "../../../lib/messages/tasks.ts";
import { useCreateTaskTemplate } from "../../../queries/tasks/use-task-templates.ts";
import { useForm } from "../../../queries/use-form.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { TextField } from "../../../ui/Field.tsx";
import { Notice } from "../../../ui/Notice.tsx";
import { buildTemplate } from "../model/template.ts";

interface Props {
  teamId: number;
  tasks: readonly Task[];
  onClose(): void;
}

/** Saves the open tasks as a template of the team. */
export function SaveTemplateDialog({ teamId, tasks, onClose }: Props) {
  const [name, setName] = useState("");
  const form = useForm(useCreateTaskTemplate(), operation.body, ["name"]);
  const template = buildTemplate(tasks);
  return (
    <Dialog title={t("saveTemplateTitle")} description={t("saveTemplateHelp", { count: template.length })} closeLabel={t("close")} onClose={onClose}>
      <form
        ref={form.ref}
        noValidate
        onSubmit={async (event) => {
          const saved = await form.submit(event, { team_id: teamId, name: name.trim(), tasks: template });
          if (!saved) return;
          announce(t("templateSaved", { name: saved.name }));
          onClose();
        }}
      >
        {form.problem && (
          <Notice title={form.problem.title} className="mb-4">
            {form.problem.help}
          </Notice>
        )}
        <TextField
          label={t("templateName")}
          hint={t("templateHint")}
          autoComplete="off"
          autoFocus
          required
          maxLength={100}
          value={name}
          onChange={(event) => setName(event.target.value)}
          error={form.errorOf("name", t("templateName"))}
        />
        <DialogActions>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" pending={form.isPending}>
            {t("save")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
