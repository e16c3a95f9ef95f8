import { useParams } from "react-router";
import { useProject } from "../../queries/projects.ts";
import { Chat } from "./Chat.tsx";
import { ChatSkeleton, LoadFailed } from "./ChatSkeleton.tsx";
import { ChatSearch } from "./search/ChatSearch.tsx";
import { parseMessageId } from "./timeline/use-chat-location.ts";

/** Renders `/projects/:projectId/chat` and `…/chat/:messageId`: a project's chat, opened at the reader's last position or at a message. */
export function ChatView() {
  const { projectId, messageId } = useParams();
  const project = useProject(Number(projectId));
  if (project.data)
    return (
      <ChatSearch projectId={project.data.id}>
        <Chat key={project.data.id} project={project.data} messageId={parseMessageId(messageId)} />
      </ChatSearch>
    );
  if (project.isError) return <LoadFailed error={project.error} onRetry={() => void project.refetch()} />;
  return <ChatSkeleton />;
}
