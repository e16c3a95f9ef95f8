import { Check } from "lucide-react";
import { useState } from "react";
import { LIMITS } from "../../../../contract/limits.ts";
import { createFileStatus as operation } from "../../../../contract/operations/statuses.ts";
import type { FileStatus } from "../../../../contract/records.ts";
import { FormProblem } from "../../../components/ErrorNotice.tsx";
import { StatusBadge } from "../../../components/status/StatusBadge.tsx";
import { paletteIndex } from "../../../lib/hue.ts";
import { t } from "../../../lib/texts/status-settings.ts";
import { useCreateStatus, useUpdateStatus } from "../../../queries/statuses/use-statuses.ts";
import { useForm } from "../../../queries/use-form.ts";
import { announce } from "../../../ui/announce.ts";
import { Button } from "../../../ui/Button.tsx";
import { Dialog, DialogActions } from "../../../ui/Dialog.tsx";
import { TextField } from "../../../ui/Field.tsx";

/** Message keys of the colors by palette index. */
const COLOR_NAMES = ["hue0", "hue1", "hue2", "hue3", "hue4", "hue5", "hue6", "hue7", "hue8", "hue9", "hue10", "hue11"] as const;
const COLORS = COLOR_NAMES.map((_, index) => index);

interface Props {
  teamId: number;
  statuses: readonly FileStatus[];
  /** Null creates a new status. */
  status: FileStatus | null;
  onClose(): void;
}

/** Edits the title and color of a new or existing status. */
export function StatusForm({ teamId, statuses, status, onClose }: Props) {
  const create = useCreateStatus(teamId);
  const update = useUpdateStatus(teamId, status?.id ?? 0);
  const [title, setTitle] = useState(status?.title ?? "");
  const [color, setColor] = useState(() => (status ? paletteIndex(status.color) : firstUnusedColor(statuses)));
  const form = useForm(status ? update : create, operation.body, ["title", "color"]);
  const isTitleTaken = statuses.some((other) => other.id !== status?.id && normalizeTitle(other.title) === normalizeTitle(title));
  const preview = { id: 0, position: 0, color, title: title.trim() === "" ? t("noTitle") : title.trim() };
  return (
    <Dialog title={status ? t("editTitle", { title: status.title }) : t("newTitle")} closeLabel={t("close")} onClose={onClose} width="sm">
      <form
        ref={form.ref}
        noValidate
        className="flex flex-col gap-4"
        onSubmit={async (event) => {
          const extraIssues = isTitleTaken ? [{ path: "title", message: t("titleTaken") }] : [];
          const saved = await form.submit(event, { title: title.trim(), color }, extraIssues);
          if (!saved) return;
          announce(t("saved", { title: saved.title }));
          onClose();
        }}
      >
        <FormProblem problem={form.problem} />
        <TextField
          label={t("title")}
          hint={t("titleHint")}
          autoComplete="off"
          autoFocus
          required
          maxLength={LIMITS.file_status_title_characters}
          value={title}
          onChange={({ target }) => setTitle(target.value)}
          error={form.errorOf("title", t("title"))}
        />
        <fieldset>
          <legend className="mb-1.5 text-sm font-medium">{t("color")}</legend>
          <div className="grid grid-cols-3 gap-1.5">
            {COLORS.map((index) => (
              <label
                key={index}
                className="flex min-h-9 items-center gap-2 rounded-md border border-line px-2 hover:bg-hover has-checked:border-accent has-checked:bg-accent-soft has-focus-visible:outline-2 has-focus-visible:outline-accent-text"
              >
                <input type="radio" name="color" value={index} checked={index === color} onChange={() => setColor(index)} className="sr-only" />
                <span data-hue={index} className="hue-dot size-3 shrink-0 rounded-full" />
                <span className="min-w-0 flex-1 truncate text-sm">{colorName(index)}</span>
                {index === color && <Check size={14} aria-hidden className="shrink-0" />}
              </label>
            ))}
          </div>
        </fieldset>
        <p className="flex items-center gap-2.5 text-sm text-text-2">
          {t("preview")} <StatusBadge status={preview} />
        </p>
        <DialogActions>
          <Button onClick={onClose}>{t("cancel")}</Button>
          <Button type="submit" variant="primary" pending={form.isPending}>
            {t(status ? "save" : "confirmAdd")}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

/** Normalizes a title as the service does to compare titles. */
const normalizeTitle = (title: string) => title.trim().normalize("NFKC").toLowerCase();
const firstUnusedColor = (statuses: readonly FileStatus[]) => COLORS.find((color) => statuses.every((status) => paletteIndex(status.color) !== color)) ?? 0;

/** Returns the name of a palette color by its index. */
export const colorName = (index: number): string => t(COLOR_NAMES[index] ?? "hue0");
