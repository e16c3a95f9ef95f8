import { type ReactNode, useState } from "react";
import { copyToClipboard } from "../lib/browser.ts";
import { t } from "../lib/texts/unsent-drafts.ts";
import { Button } from "../ui/Button.tsx";

export interface UnsentDraft {
  key: string;
  text: string;
  /** Deletes the text; undefined if it cannot be deleted, for example while it is waiting to be sent. */
  onDelete?: (() => void) | undefined;
}

/** Lists unsent text that can no longer be sent here, so that none of it is lost and all of it can be copied. */
export function UnsentDraftList({ help, drafts, files }: { help: string; drafts: readonly UnsentDraft[]; files?: ReactNode }) {
  const unsentDrafts = drafts.filter(({ text }) => text.trim() !== "");
  if (unsentDrafts.length === 0 && !files) return null;
  return (
    <section aria-label={t("title")} className="mx-auto w-full max-w-160 px-4 pb-10">
      <h2 className="font-semibold">{t("title")}</h2>
      <p className="mt-1 mb-3 text-sm text-text-2">{help}</p>
      {unsentDrafts.length > 0 && (
        <ul className="mb-2 flex flex-col gap-2">
          {unsentDrafts.map(({ key, text, onDelete }) => (
            <UnsentDraftItem key={key} text={text} onDelete={onDelete} />
          ))}
        </ul>
      )}
      {files}
    </section>
  );
}

function UnsentDraftItem({ text, onDelete }: { text: string; onDelete?: (() => void) | undefined }) {
  const [copyStatus, setCopyStatus] = useState("");
  const copy = async () => setCopyStatus(t((await copyToClipboard(text)) ? "copied" : "copyManually"));
  return (
    <li className="rounded-md border border-line bg-raised p-3">
      <p dir="auto" className="wrap-anywhere whitespace-pre-wrap">
        {text}
      </p>
      <div className="mt-2 flex items-center gap-2">
        <Button size="sm" onClick={() => void copy()}>
          {t("copy")}
        </Button>
        {onDelete && (
          <Button size="sm" variant="danger" onClick={onDelete}>
            {t("delete")}
          </Button>
        )}
        <span role="status" className="text-sm text-text-2">
          {copyStatus}
        </span>
      </div>
    </li>
  );
}
