import { useState, type FormEvent } from "react";
import { MUSIC_KEYS, type MusicKey } from "../../../../contract/music-keys.ts";
import type { AiTags, AudioFileInfo } from "../../../../contract/records.ts";
import { t } from "../../../lib/messages/review-tags.ts";
import { useCorrectTags } from "../../../queries/files/use-tags.ts";
import { announce } from "../../../ui/announce.ts";
import { SelectField } from "../../../ui/Field.tsx";
import { isCorrected } from "../model/info.ts";
import { isMusicKey } from "../model/tags.ts";
import { Correction } from "./Correction.tsx";

const C_MAJOR: MusicKey = "C major";

interface Props {
  fileId: number;
  info: AudioFileInfo;
  tags: AiTags;
  onClose(): void;
}

/** The key by hand. What the analysis thinks possible comes first. */
export function KeyForm({ fileId, info, tags, onClose }: Props) {
  const correct = useCorrectTags(fileId);
  const likely = tags.key.filter(isMusicKey);
  const [key, setKey] = useState<MusicKey>(info.key !== null && isMusicKey(info.key) ? info.key : (likely[0] ?? C_MAJOR));
  const send = (wish: MusicKey | null) =>
    correct.mutate(
      { key: wish },
      {
        onSuccess: () => {
          announce(wish === null ? t("taken") : t("saved", { value: wish }));
          onClose();
        },
      },
    );
  return (
    <Correction
      label={t("correctKey")}
      onSubmit={(event: FormEvent) => {
        event.preventDefault();
        send(key);
      }}
      onClose={onClose}
      pending={correct.isPending}
      error={correct.error}
      onTakeBack={isCorrected(info, "key") ? () => send(null) : null}
    >
      <SelectField label={t("newKey")} autoFocus value={key} onChange={({ target }) => isMusicKey(target.value) && setKey(target.value)}>
        {[...likely, ...MUSIC_KEYS.filter((one) => !likely.includes(one))].map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </SelectField>
    </Correction>
  );
}
