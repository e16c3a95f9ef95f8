import { ArrowUp, Trash2 } from "lucide-react";
import { useServiceTime, useClient } from "../../../client/client.ts";
import type { Recording } from "../../../audio/recorder/recording.ts";
import type { VoiceDraft } from "../../../audio/recorder/voice-drafts.ts";
import { formatAccessibleDuration } from "../../../lib/format.ts";
import { t } from "../../../lib/texts/voice.ts";
import { IconButton } from "../../../ui/IconButton.tsx";
import { createLocalTrack } from "../message/tracks.ts";
import { formatDraftStatus, formatEndReason } from "./recording-labels.ts";
import { useAudioUrl, VoiceCard } from "./VoiceCard.tsx";

interface Props {
  draft: VoiceDraft;
  outcome: Recording["outcome"];
  onSend(): void;
  onDiscard(): void;
}

/** Shows an unsent recording with buttons to play, send and delete it. */
export function VoiceDraftCard({ draft, outcome, onSend, onDiscard }: Props) {
  const { id, seconds, wave } = draft.metadata;
  const { viewMemory } = useClient();
  const now = useServiceTime();
  const url = useAudioUrl(draft.bytes);
  const track = createLocalTrack(viewMemory, id, url ?? "", t("draftName"), { duration: seconds, wave });
  const endMessage = outcome && outcome.reason !== "short" && outcome.id === id ? formatEndReason(outcome.reason) : null;
  return (
    <div data-card={id} className="flex flex-col gap-1">
      <VoiceCard track={track} isUnplayable={url === null} label={t("draft", { duration: formatAccessibleDuration(seconds) })} className="bg-raised">
        <IconButton label={t("discard")} className="max-tablet:size-9" onClick={onDiscard}>
          <Trash2 size={17} aria-hidden />
        </IconButton>
        <button
          type="button"
          data-next-action={id}
          // A key still held down from the previous button must not send the recording before the user can review it.
          onKeyDown={(event) => event.repeat && event.preventDefault()}
          aria-label={t("send")}
          title={t("send")}
          onClick={onSend}
          className="flex size-8 shrink-0 items-center justify-center rounded-md bg-accent text-accent-ink transition-colors hover:brightness-105 max-tablet:size-9 max-tablet:rounded-full"
        >
          <ArrowUp size={18} aria-hidden />
        </button>
      </VoiceCard>
      <p className="px-1.5 text-xs text-text-2">
        {formatDraftStatus(draft, now)}
        {endMessage !== null && <span className="block">{endMessage}</span>}
        {!draft.isPersisted && <span className="block text-danger">{t("notPersisted")}</span>}
      </p>
    </div>
  );
}
