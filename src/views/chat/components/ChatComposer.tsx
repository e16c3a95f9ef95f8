import type { HeldVoices } from "../../../parts/voice/held-voices.ts";
import { useVoice, type Recorded } from "../../../parts/voice/use-voice.tsx";
import { keepDraftUntil } from "../../../queries/drafts/keep-until.ts";
import { useDraft } from "../../../queries/drafts/use-draft.ts";
import { useWriting } from "../../../queries/live/connection.ts";
import { useMentionable } from "../../../queries/members/use-people.ts";
import { useChatRoom } from "./chat-room.ts";
import { Composer } from "./Composer.tsx";
import { ReplyBar } from "./ReplyBar.tsx";
import type { useChatFiles } from "./use-chat-files.ts";
import type { ReplyTarget } from "./use-reply-target.ts";

interface Props {
  projectId: number;
  projectName: string;
  reply: ReplyTarget;
  files: ReturnType<typeof useChatFiles>;
  onEditLast(): boolean;
  /** Resolves when the message is kept. */
  onSend(body: string): Promise<unknown>;
  /** Recordings that are messages already. */
  heldVoices: HeldVoices;
  /** Answers whether others keep its bytes now. */
  onSendVoice(recorded: Recorded): Promise<boolean>;
}

/** The composer with the project's draft, which others see being written. */
export function ChatComposer({ projectId, projectName, reply, files, heldVoices, onEditLast, onSend, onSendVoice }: Props) {
  const { accountId, nameOf } = useChatRoom();
  const [draft, setDraft] = useDraft(projectId);
  const people = useMentionable(projectId);
  const writing = useWriting(projectId);
  const voice = useVoice({ accountId, projectId, off: files.off, held: heldVoices, onSend: onSendVoice });
  return (
    <Composer
      projectName={projectName}
      draft={draft}
      people={people}
      reply={reply.quote && <ReplyBar quote={reply.quote} nameOf={nameOf} onLeave={reply.clear} />}
      uploads={files.uploads}
      refused={files.refused}
      filesOff={files.off}
      voice={voice}
      onDraft={setDraft}
      onTyping={writing.note}
      onLeaveReply={() => {
        reply.clear();
        return reply.quote !== null;
      }}
      onEditLast={onEditLast}
      onFiles={files.add}
      onSend={(body) => {
        const stored = onSend(body);
        setDraft("");
        keepDraftUntil(accountId, projectId, draft, stored);
        writing.done();
      }}
    />
  );
}
