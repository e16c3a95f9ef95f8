import { Suspense, useCallback, useRef, useState } from "react";
import { Navigate, useLocation, useNavigate, useSearchParams } from "react-router";
import { FileLinkContext, type FileLinkTarget, filePath, pagePathOf, parsePaneFile, withPaneFile } from "../../components/file-link.ts";
import { lazyPart, PartNotLoaded } from "../../components/lazy-part.tsx";
import { useHasFeature } from "../../queries/service.ts";
import { useMediaQuery } from "../../ui/responsive.ts";
import { ChatView } from "../../views/chat/ChatView.tsx";

const FilePane = lazyPart(
  async () => (await import("./FilePane.tsx")).FilePane,
  ({ coversChat, onClose }) => (
    <section className={coversChat ? "absolute inset-0 z-20 bg-surface" : "w-100 border-l border-line"}>
      <PartNotLoaded onClose={onClose} />
    </section>
  ),
);

/** Windows that have room for the navigation, a chat and a file. */
const WIDE = "(min-width: 1600px)";

/**
 * Renders a project's chat, and in a wide window beside it the file that `?file=` names. In other windows that address leads to the file's page, but a
 * file that is open when the window becomes narrow stays open, and covers the chat.
 */
export function ChatPage() {
  const isWide = useMediaQuery(WIDE);
  const hasFilePages = useHasFeature("files");
  const [search] = useSearchParams();
  const { pathname } = useLocation();
  const navigate = useNavigate();
  const chat = useRef<HTMLDivElement>(null);
  const fileId = parsePaneFile(search);
  const [shownFileId, setShownFileId] = useState<number | null>(null);
  const opensPane = isWide && hasFilePages;
  if (shownFileId !== fileId && (opensPane || fileId === null)) setShownFileId(fileId);
  const linkOf = useCallback(
    (id: number, target?: FileLinkTarget) => (opensPane ? `${pathname}?${withPaneFile(search, id, target)}` : filePath(id, target)),
    [opensPane, pathname, search],
  );
  if (fileId !== null && !opensPane && hasFilePages && shownFileId !== fileId) return <Navigate to={pagePathOf(search)!} replace />;

  const showsPane = fileId !== null && hasFilePages;
  const closePane = () => {
    // Renders synchronously, so that the chat can receive the focus.
    void navigate({ pathname, search: withPaneFile(search, null).toString() }, { flushSync: true });
    focusChat(chat.current!, fileId);
  };
  return (
    <div className="relative flex h-full min-w-0">
      {/* Isolated, so that the layer that catches drops for the chat stays below the pane. */}
      <div ref={chat} inert={showsPane && !isWide} className={showsPane ? "isolate min-w-0 flex-1" : "min-w-0 flex-1"}>
        <FileLinkContext value={linkOf}>
          <ChatView />
        </FileLinkContext>
      </div>
      {showsPane && (
        <Suspense>
          <FilePane key={fileId} fileId={fileId} coversChat={!isWide} onClose={closePane} />
        </Suspense>
      )}
    </div>
  );
}

/** Focuses a link to the file that was closed, or the field for messages if none is in view. */
function focusChat(chat: HTMLElement, fileId: number | null): void {
  const link = [...chat.querySelectorAll("a")].find(
    ({ pathname, search }) => pathname === `/files/${fileId}` || parsePaneFile(new URLSearchParams(search)) === fileId,
  );
  (link ?? chat.querySelector("textarea"))?.focus();
}
