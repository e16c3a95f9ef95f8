import { Plus, Trash2 } from "lucide-react";
import { type RefObject, useEffect, useRef } from "react";
import { RULE_PLACEHOLDERS, type RulePlaceholder, type RuleStep } from "../../../../../contract/agent-task-records.ts";
import { LIMITS } from "../../../../../contract/limits.ts";
import type { FileStatus } from "../../../../../contract/records.ts";
import { t } from "../../../../lib/texts/agent-tasks.ts";
import { useProjectMembers } from "../../../../queries/projects.ts";
import { Button } from "../../../../ui/Button.tsx";
import { FieldGroup, TextArea, TextField } from "../../../../ui/Field.tsx";
import { IconButton } from "../../../../ui/IconButton.tsx";
import { Select } from "../../../../ui/Select.tsx";

type Step<T extends RuleStep["type"]> = Extract<RuleStep, { type: T }>;
interface StepsProps {
  projectId: number;
  statuses: readonly FileStatus[];
  errorOf(path: string, label: string): string | undefined;
}
interface StepFieldsProps extends StepsProps {
  steps: readonly RuleStep[];
  onChange(steps: RuleStep[]): void;
}

const KINDS = [
  ["post_message", t("postMessage")],
  ["post_comment", t("postComment")],
  ["create_task", t("createTask")],
  ["set_status", t("setStatus")],
] as const;

/** Returns a step of another kind that keeps the text. */
function toKind(step: RuleStep, type: RuleStep["type"], statuses: readonly FileStatus[]): RuleStep {
  const text = "text" in step ? step.text : "title" in step ? step.title : "";
  if (type === "create_task") return { type, title: text.slice(0, LIMITS.task_title_characters).replaceAll("\n", " ") };
  if (type === "set_status") return { type, status_id: statuses[0]?.id ?? 0 };
  return { type, text };
}

/** The steps of a rule, in order. */
export function StepFields({ steps, onChange, ...rest }: StepFieldsProps) {
  return (
    <FieldGroup label={t("steps")} error={steps.length === 0 ? rest.errorOf("steps", t("steps")) : undefined}>
      <ol className="flex flex-col gap-3">
        {steps.map((step, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a step has no identity but its place
          <li key={index} className="rounded-md border border-line p-3">
            <div className="mb-3 flex items-center gap-2">
              <Select
                className="min-w-0 flex-1"
                label={t("stepKind", { position: index + 1 })}
                labelHidden
                value={step.type}
                options={rest.statuses.length > 0 || step.type === "set_status" ? KINDS : KINDS.slice(0, 3)}
                onChange={(type) => onChange(steps.with(index, toKind(step, type, rest.statuses)))}
              />
              <IconButton label={t("removeStep", { position: index + 1 })} disabled={steps.length === 1} onClick={() => onChange(steps.toSpliced(index, 1))}>
                <Trash2 size={16} aria-hidden />
              </IconButton>
            </div>
            <OneStep path={`steps.${index}`} step={step} onChange={(next) => onChange(steps.with(index, next))} {...rest} />
          </li>
        ))}
      </ol>
      {steps.length < LIMITS.rule_steps && (
        <Button size="sm" icon={Plus} className="mt-3" onClick={() => onChange([...steps, { type: "post_message", text: "" }])}>
          {t("addStep")}
        </Button>
      )}
    </FieldGroup>
  );
}

type OneStepProps<S extends RuleStep = RuleStep> = StepsProps & { path: string; step: S; onChange(step: RuleStep): void };

function OneStep({ step, ...rest }: OneStepProps) {
  if (step.type === "create_task") return <TaskFields step={step} {...rest} />;
  if (step.type === "set_status") return <StatusField step={step} {...rest} />;
  return <MessageFields step={step} {...rest} />;
}

function MessageFields({ path, step, errorOf, onChange }: OneStepProps<Step<"post_message" | "post_comment">>) {
  const field = useRef<HTMLTextAreaElement>(null);
  const label = t(step.type === "post_message" ? "message" : "comment");
  return (
    <>
      <TextArea
        ref={field}
        label={label}
        value={step.text}
        rows={3}
        maxLength={LIMITS.rule_text_characters}
        onChange={(text) => onChange({ ...step, text })}
        error={errorOf(`${path}.text`, label)}
      />
      <Placeholders field={field} onInsert={(text) => onChange({ ...step, text })} />
    </>
  );
}

function TaskFields({ path, step, projectId, errorOf, onChange }: OneStepProps<Step<"create_task">>) {
  const field = useRef<HTMLInputElement>(null);
  const members = useProjectMembers(projectId).data ?? [];
  const people = members.toSorted((a, b) => a.username.localeCompare(b.username)).map(({ id, username }) => [id, username] as const);
  return (
    <>
      <TextField
        ref={field}
        label={t("taskTitle")}
        value={step.title}
        autoComplete="off"
        maxLength={LIMITS.task_title_characters}
        onChange={(title) => onChange({ ...step, title })}
        error={errorOf(`${path}.title`, t("taskTitle"))}
      />
      <Placeholders field={field} onInsert={(title) => onChange({ ...step, title })} />
      <div className="mt-3 grid gap-3 tablet:grid-cols-2">
        <Select
          label={t("assignee")}
          value={step.assignee_account_id ?? null}
          options={[[null, t("nobody")], ...people]}
          onChange={(id) => onChange({ ...step, assignee_account_id: id })}
          error={errorOf(`${path}.assignee_account_id`, t("assignee"))}
        />
        <TextField
          label={t("dueInDays")}
          type="number"
          min={0}
          max={365}
          value={step.due_in_days === null || step.due_in_days === undefined ? "" : String(step.due_in_days)}
          hint={t("dueHint")}
          onChange={(value) => onChange({ ...step, due_in_days: value === "" ? null : Number(value) })}
          error={errorOf(`${path}.due_in_days`, t("dueInDays"))}
        />
      </div>
    </>
  );
}

const StatusField = ({ path, step, statuses, errorOf, onChange }: OneStepProps<Step<"set_status">>) => (
  <Select
    label={t("status")}
    value={step.status_id}
    options={statuses.map(({ id, title }) => [id, title])}
    onChange={(status_id) => onChange({ ...step, status_id })}
    error={errorOf(`${path}.status_id`, t("status"))}
  />
);

interface PlaceholdersProps {
  field: RefObject<HTMLInputElement | HTMLTextAreaElement | null>;
  onInsert(text: string): void;
}

/** Buttons that insert what a run replaces by facts of the file. */
function Placeholders({ field, onInsert }: PlaceholdersProps) {
  useEffect(() => {
    // In a field that nobody has been in, placeholders go to the end.
    const element = field.current;
    element?.setSelectionRange(element.value.length, element.value.length);
  }, [field]);
  function insert(name: RulePlaceholder) {
    const element = field.current;
    if (!element) return;
    const [start, end] = [element.selectionStart ?? element.value.length, element.selectionEnd ?? element.value.length];
    const placeholder = `{${name}}`;
    onInsert(element.value.slice(0, start) + placeholder + element.value.slice(end));
    element.focus();
    // The field gets its new text first.
    requestAnimationFrame(() => element.setSelectionRange(start + placeholder.length, start + placeholder.length));
  }
  return (
    <div className="mt-2 flex flex-wrap gap-1">
      {RULE_PLACEHOLDERS.map((name) => (
        <button
          key={name}
          type="button"
          aria-label={t("insert", { name: `{${name}}` })}
          onClick={() => insert(name)}
          className="rounded-sm border border-line bg-raised px-1.5 py-0.5 font-mono text-xs text-text-2 hover:bg-hover hover:text-text pointer-coarse:py-1.5"
        >
          {`{${name}}`}
        </button>
      ))}
    </div>
  );
}
