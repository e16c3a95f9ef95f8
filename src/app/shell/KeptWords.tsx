import { useState } from "react";
import { t } from "../../lib/messages/kept-words.ts";
import { useDraft } from "../../queries/drafts/use-draft.ts";
import { useMembers } from "../../queries/members/use-members.ts";
import { useOutbox } from "../../queries/outbox/use-outbox.ts";
import { Button } from "../../ui/Button.tsx";

/** What one has written for a project that one does not see any more: nothing of it is lost, and all of it can be taken along. */
export function KeptWords({ projectId }: { projectId: number }) {
  const [draft] = useDraft(projectId);
  const { entries, discard } = useOutbox(projectId);
  const members = useMembers().data;
  const nameOf = (id: string) => members?.find((one) => one.id === Number(id))?.username;
  const unsent = entries.filter(({ body }) => body !== "");
  if (draft.text.trim() === "" && unsent.length === 0) return null;
  return (
    <section aria-label={t("title")} className="mx-auto w-full max-w-160 px-4 pb-10">
      <h2 className="font-semibold">{t("title")}</h2>
      <p className="mt-1 mb-3 text-sm text-text-2">{t("help")}</p>
      <ul className="flex flex-col gap-2">
        {draft.text.trim() !== "" && <Kept text={draft.text} />}
        {unsent.map(({ clientId, body, state }) => (
          <Kept
            key={clientId}
            text={body.replace(/<@(\d{1,15})>/g, (whole, id: string) => (nameOf(id) === undefined ? whole : `@${nameOf(id)}`))}
            // One that is still being tried cannot be taken back.
            onDelete={state === "failed" ? () => discard(clientId) : undefined}
          />
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
