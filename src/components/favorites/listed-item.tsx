/** Shows favorites and recent items: their names and icons. */
import { AudioLines, ListMusic, MessageSquare, Mic } from "lucide-react";
import type { ListedItem } from "../../../contract/favorite-records.ts";
import { hueOf } from "../../lib/hue.ts";
import { t } from "../../lib/texts/favorites-list.ts";
import { FileKindIcon } from "../file-kind.tsx";
import { excerptOf } from "../message-text/parse.ts";

/** Returns the item's name; of a message its text in one line, else what it contains. */
export function itemName({ type, name, is_audio_message, attachment_name }: ListedItem): string {
  if (type !== "message") return name;
  const excerpt = excerptOf(name, () => "");
  if (excerpt !== "") return excerpt;
  return is_audio_message ? t("voiceMessage") : (attachment_name ?? t("emptyMessage"));
}

export function ItemIcon({ item, size = 16 }: { item: ListedItem; size?: number }) {
  const props = { size, "aria-hidden": true } as const;
  switch (item.type) {
    case "project":
      return <span aria-hidden data-hue={hueOf(item.id)} className="hue-dot size-2 rounded-[2px]" />;
    case "file":
      return item.kind === undefined ? (
        <AudioLines {...props} />
      ) : (
        <FileKindIcon entry={{ name: item.name, kind: item.kind, is_folder: item.kind === "folder" }} size={size} />
      );
    case "playlist":
      return <ListMusic {...props} />;
    case "message":
      return item.is_audio_message ? <Mic {...props} /> : <MessageSquare {...props} />;
  }
}
