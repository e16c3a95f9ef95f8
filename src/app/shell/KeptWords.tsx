import { t } from "../../lib/messages/kept-words.ts";
import { KeptList } from "../../parts/kept-words/KeptList.tsx";
import { useDraft } from "../../queries/drafts/use-draft.ts";
import { useMembers } from "../../queries/members/use-members.ts";
import { useUnsent } from "../../queries/outbox/use-outbox.ts";

/** What one has written for a project that one does not see any more. */
export function KeptWords({ projectId }: { projectId: number }) {
  const [draft] = useDraft(projectId);
  const { entries, discard } = useUnsent(projectId);
  const members = useMembers().data;
  const nameOf = (id: string) => members?.find((one) => one.id === Number(id))?.username;
  const unsent = entries.map(({ clientId, body, state }) => ({
    key: clientId,
    text: body.replace(/<@(\d{1,15})>/g, (whole, id: string) => (nameOf(id) === undefined ? whole : `@${nameOf(id)}`)),
    onDelete: state === "failed" ? () => discard(clientId) : undefined,
  }));
  return <KeptList help={t("help")} texts={[{ key: "draft", text: draft.text }, ...unsent]} />;
}
