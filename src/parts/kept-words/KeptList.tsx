import { useState } from "react";
import { t } from "../../lib/messages/kept-words.ts";
import { Button } from "../../ui/Button.tsx";

export interface KeptText {
  key: string;
  text: string;
  /** Where it is given up; one that is still being tried cannot be. */
  onDelete?: (() => void) | undefined;
}

/** What one has written and cannot send here any more: nothing of it is lost, and all of it can be taken along. */
export function KeptList({ help, texts }: { help: string; texts: readonly KeptText[] }) {
  const words = texts.filter(({ text }) => text.trim() !== "");
  if (words.length === 0) return null;
  return (
    <section aria-label={t("title")} className="mx-auto w-full max-w-160 px-4 pb-10">
      <h2 className="font-semibold">{t("title")}</h2>
      <p className="mt-1 mb-3 text-sm text-text-2">{help}</p>
      <ul className="flex flex-col gap-2">
        {words.map(({ key, text, onDelete }) => (
          <Kept key={key} text={text} onDelete={onDelete} />
        ))}
      </ul>
    </section>
  );
}

function Kept({ text, onDelete }: { text: string; onDelete?: (() => void) | undefined }) {
  const [said, setSaid] = useState("");
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setSaid(t("copied")),
      () => setSaid(t("selectIt")),
    ) ?? setSaid(t("selectIt"));
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
          <Button size="sm" look="danger" onClick={onDelete}>
            {t("delete")}
          </Button>
        )}
        <span role="status" className="text-sm text-text-2">
          {said}
        </span>
      </div>
    </li>
  );
}
