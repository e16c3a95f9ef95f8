import type { AgentTaskAction } from "../../../../../contract/agent-task-records.ts";
import { LIMITS } from "../../../../../contract/limits.ts";
import { t } from "../../../../lib/texts/agent-tasks.ts";
import { TextArea, TextField } from "../../../../ui/Field.tsx";

interface PromptFieldsProps {
  action: Exclude<AgentTaskAction, "rule">;
  /** Without a model, a check has no introduction. */
  hasModel: boolean;
  prompt: string | null;
  sinceHours: number | null;
  errorOf(path: string, label: string): string | undefined;
  onChange(changes: { prompt?: string | null; since_hours?: number | null }): void;
}

const PROMPTS = {
  answer: [t("question"), t("questionHint")],
  summarize: [t("focus"), t("focusHint")],
  check_delivery: [t("introduction"), t("introductionHint")],
} as const;

/** What a task asks a language model for, and how far back a summary reaches. */
export function PromptFields({ action, hasModel, prompt, sinceHours, errorOf, onChange }: PromptFieldsProps) {
  const [label, hint] = PROMPTS[action];
  return (
    <>
      {(hasModel || prompt !== null) && (
        <TextArea
          label={label}
          hint={hint}
          rows={3}
          maxLength={LIMITS.agent_prompt_characters}
          value={prompt ?? ""}
          onChange={(value) => onChange({ prompt: value === "" ? null : value })}
          error={errorOf("prompt", label)}
        />
      )}
      {action === "summarize" && (
        <TextField
          label={t("sinceHours")}
          hint={t("sinceHint")}
          type="number"
          min={1}
          max={LIMITS.summary_hours}
          value={sinceHours === null ? "" : String(sinceHours)}
          onChange={(value) => onChange({ since_hours: value === "" ? null : Number(value) })}
          error={errorOf("since_hours", t("sinceHours"))}
        />
      )}
    </>
  );
}
