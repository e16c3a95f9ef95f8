import { useState, type FormEvent } from "react";
import { MUSIC_KEYS, type MusicKey } from "../../../../contract/music-keys.ts";
import type { AiTags, AudioFileInfo } from "../../../../contract/records.ts";
import { t } from "../../../lib/texts/review-tags.ts";
import { useCorrectTags } from "../../../queries/files/use-tags.ts";
import { announce } from "../../../ui/announce.ts";
import { Select } from "../../../ui/Select.tsx";
import { isCorrected } from "../file-info.ts";
import { CorrectionForm } from "./CorrectionForm.tsx";
import { isMusicKey } from "./tags.ts";

const C_MAJOR: MusicKey = "C major";

interface Props {
  fileId: number;
  info: AudioFileInfo;
  tags: AiTags;
  onClose(): void;
}

/** Corrects the musical key. The keys that the analysis suggests come first. */
export function KeyForm({ fileId, info, tags, onClose }: Props) {
  const correctTags = useCorrectTags(fileId);
  const suggestedKeys = tags.key.filter(isMusicKey);
  const [key, setKey] = useState<MusicKey>(info.key !== null && isMusicKey(info.key) ? info.key : (suggestedKeys[0] ?? C_MAJOR));
  const save = (newKey: MusicKey | null) =>
    correctTags.mutate(
      { key: newKey },
      {
        onSuccess: () => {
          announce(newKey === null ? t("resetDone") : t("saved", { value: newKey }));
          onClose();
        },
      },
    );
  return (
    <CorrectionForm
      label={t("correctKey")}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        save(key);
      }}
      onClose={onClose}
      isPending={correctTags.isPending}
      error={correctTags.error}
      onUndo={isCorrected(info, "key") ? () => save(null) : null}
    >
      <Select
        label={t("newKey")}
        autoFocus
        value={key}
        options={[...new Set([...suggestedKeys, ...MUSIC_KEYS])].map((musicKey) => [musicKey, musicKey])}
        onChange={setKey}
      />
    </CorrectionForm>
  );
}
