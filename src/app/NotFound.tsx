import { FolderOpen } from "lucide-react";
import { useEffect, type ReactNode } from "react";
import { Link, useParams } from "react-router";
import { PageTitle } from "../components/PageTitle.tsx";
import { UnsentDraftList } from "../components/UnsentDraftList.tsx";
import { t } from "../lib/texts/shell.ts";
import { t as tUnsent } from "../lib/texts/unsent-drafts.ts";
import { useMembers } from "../queries/members.ts";
import { useDraft } from "../sync/drafts/use-message-draft.ts";
import { useUnsent } from "../sync/outbox/use-outbox.ts";
import { announce } from "../ui/announce.ts";
import { buttonClasses } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";

interface NotFoundPaneProps {
  title: string;
  help: string;
  /** Text of the link to the start page. */
  action?: string;
  children?: ReactNode;
}

export function NotFoundPane({ title, help, action = t("toProjects"), children }: NotFoundPaneProps) {
  return (
    <div className="flex h-full flex-col justify-center-safe overflow-y-auto">
      <PageTitle text={`${title} · ${t("brand")}`} />
      <h1 tabIndex={-1} className="sr-only">
        {title}
      </h1>
      <EmptyState
        icon={<FolderOpen size={22} aria-hidden />}
        title={title}
        actions={
          <Link to="/" className={buttonClasses("primary")}>
            {action}
          </Link>
        }
      >
        {help}
      </EmptyState>
      {children}
    </div>
  );
}

/** Shown for an unknown path. */
export const NotFound = () => <NotFoundPane title={t("notFoundTitle")} help={t("notFoundHelp")} />;

/** Shown if the project does not exist or is not visible to the person, who may have lost access while writing in it. */
export function ProjectNotFound() {
  const { projectId } = useParams();
  const title = t("projectMissingTitle");
  useEffect(() => announce(title), [title]);
  return (
    <NotFoundPane title={title} help={t("projectMissingHelp")}>
      <UnsentDrafts projectId={Number(projectId)} />
    </NotFoundPane>
  );
}

/** Shows unsent text of a project that is no longer visible to its author. */
function UnsentDrafts({ projectId }: { projectId: number }) {
  const [draft] = useDraft(projectId);
  const { entries, discard } = useUnsent(projectId);
  const members = useMembers().data;
  const nameOf = (id: string) => members?.find((member) => member.id === Number(id))?.username;
  const unsent = entries.map(({ clientId, body, state }) => ({
    key: clientId,
    text: body.replace(/<@(\d{1,15})>/g, (match, id: string) => (nameOf(id) === undefined ? match : `@${nameOf(id)}`)),
    onDelete: state === "failed" ? () => discard(clientId) : undefined,
  }));
  return <UnsentDraftList help={tUnsent("help")} drafts={[{ key: "draft", text: draft.text }, ...unsent]} />;
}
