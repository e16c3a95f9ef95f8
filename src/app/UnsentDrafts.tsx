import { UnsentDraftList } from "../components/UnsentDraftList.tsx";
import { t } from "../lib/texts/unsent-drafts.ts";
import { useMembers } from "../queries/members.ts";
import { useDraft } from "../sync/drafts/use-message-draft.ts";
import { useUnsent } from "../sync/outbox/use-outbox.ts";

/** Shows unsent text of a project that is no longer visible to its author. */
export function UnsentDrafts({ projectId }: { projectId: number }) {
  const [draft] = useDraft(projectId);
  const { entries, discard } = useUnsent(projectId);
  const members = useMembers().data;
  const nameOf = (id: string) => members?.find((member) => member.id === Number(id))?.username;
  const unsent = entries.map(({ clientId, body, state }) => ({
    key: clientId,
    text: body.replace(/<@(\d{1,15})>/g, (match, id: string) => (nameOf(id) === undefined ? match : `@${nameOf(id)}`)),
    onDelete: state === "failed" ? () => discard(clientId) : undefined,
  }));
  return <UnsentDraftList help={t("help")} drafts={[{ key: "draft", text: draft.text }, ...unsent]} />;
}
