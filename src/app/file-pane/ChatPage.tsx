import { lazy, Suspense, useCallback } from "react";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { FileLinkContext } from "../../components/file-link.ts";
import { useHasFeature } from "../../queries/service.ts";
import { useMediaQuery } from "../../ui/responsive.ts";
import { ChatView } from "../../views/chat/ChatView.tsx";

const FilePane = lazy(async () => ({ default: (await import("./FilePane.tsx")).FilePane }));

/** Windows that have room for the navigation, a chat and a file. */
const WIDE = "(min-width: 1600px)";

/** Renders a project's chat, and in a wide window beside it the file that `?file=` names. */
export function ChatPage() {
  const isWide = useMediaQuery(WIDE);
  const hasFilePages = useHasFeature("files");
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const fileId = Number(search.get("file"));
  const showsPane = isWide && Number.isSafeInteger(fileId) && fileId > 0;
  const linkOf = useCallback((id: number) => (isWide && hasFilePages ? `${pathname}?file=${id}` : `/files/${id}`), [isWide, hasFilePages, pathname]);
  return (
    <div className="flex h-full min-w-0">
      <div className="min-w-0 flex-1">
        <FileLinkContext value={linkOf}>
          <ChatView />
        </FileLinkContext>
      </div>
      {showsPane && (
        <Suspense>
          <FilePane key={fileId} fileId={fileId} onClose={() => void navigate(pathname)} />
        </Suspense>
      )}
    </div>
  );
}
