import { useParams } from "react-router";
import { EmptyState } from "../../ui/EmptyState.tsx";
import { t } from "../../lib/messages/chat.ts";
import { useProject } from "../../queries/projects/use-projects.ts";
import { Chat } from "./components/Chat.tsx";
import { ChatSkeleton } from "./components/ChatSkeleton.tsx";
import { messageIdOf } from "./model/opening.ts";

/** `/projects/:projectId/chat` and `…/chat/:messageId`: a project's chat, opened where its reader left off or at a message. */
export function ChatView() {
  const { projectId, messageId } = useParams();
  const project = useProject(Number(projectId));
  if (project.data) return <Chat key={project.data.id} project={project.data} messageId={messageIdOf(messageId)} />;
  if (project.isPending) return <ChatSkeleton />;
  return (
    <div className="flex h-full items-center justify-center">
      <EmptyState title={t("projectMissing")}>{t("projectMissingHelp")}</EmptyState>
    </div>
  );
}
