import type { SentRecordings } from "../../../parts/voice/held-voices.ts";
import { useVoice, type RecordedVoice } from "../../../parts/voice/use-voice.tsx";
import { retainDraftUntilStored } from "../../../queries/drafts/keep-until.ts";
import { useDraft } from "../../../queries/drafts/use-draft.ts";
import { useTypingSignal } from "../../../queries/live/connection.ts";
import { useMentionable } from "../../../queries/members/use-people.ts";
import { useChat } from "./chat-room.ts";
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
  /** Resolves once the message is persisted. */
  onSend(body: string): Promise<unknown>;
  /** Recordings that are already messages. */
  sentRecordings: SentRecordings;
  /** Resolves to true once the outbox and the uploads, or the service, hold the recording, so that the recorder may drop it. */
  onSendVoice(recording: RecordedVoice): Promise<boolean>;
}

/** Connects the composer to the project's draft and sends typing signals. */
export function ChatComposer({ projectId, projectName, reply, files, sentRecordings, onEditLast, onSend, onSendVoice }: Props) {
  const { accountId, nameOf } = useChat();
  const [draft, setDraft] = useDraft(projectId);
  const people = useMentionable(projectId);
  const typingSignal = useTypingSignal(projectId);
  const voice = useVoice({ accountId, projectId, disabledReason: files.disabledReason, sentRecordings, onSend: onSendVoice });
  return (
    <Composer
      projectName={projectName}
      draft={draft}
      people={people}
      reply={reply.quote && <ReplyBar quote={reply.quote} nameOf={nameOf} onCancel={reply.clear} />}
      uploads={files.uploads}
      rejectionReason={files.rejectionReason}
      uploadsDisabledReason={files.disabledReason}
      voice={voice}
      onDraft={setDraft}
      onTyping={typingSignal.notify}
      onCancelReply={() => {
        reply.clear();
        return reply.quote !== null;
      }}
      onEditLast={onEditLast}
      onFiles={files.add}
      onSend={(body) => {
        const storePromise = onSend(body);
        setDraft("");
        retainDraftUntilStored(accountId, projectId, draft, storePromise);
        typingSignal.reset();
      }}
    />
  );
}
