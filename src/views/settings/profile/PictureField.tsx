import { Trash2, Upload } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { Avatar } from "../../../components/Avatar.tsx";
import { ErrorNotice } from "../../../components/ErrorNotice.tsx";
import { t } from "../../../lib/texts/profile.ts";
import { useRemoveAvatar } from "../../../queries/account.ts";
import { useSession } from "../../../queries/session.ts";
import { Button } from "../../../ui/Button.tsx";
import { CropDialog } from "./CropDialog.tsx";

const ACCEPTED_TYPES = "image/png,image/jpeg,image/gif,image/webp,image/avif";

/** Shows the user's picture, and replaces or removes it. */
export function PictureField() {
  const { account } = useSession();
  const input = useRef<HTMLInputElement>(null);
  const chooseButton = useRef<HTMLButtonElement>(null);
  const [image, setImage] = useState<HTMLImageElement | null>(null);
  const [message, setMessage] = useState<{ text: string; isError: boolean } | null>(null);
  const remove = useRemoveAvatar();
  useEffect(() => () => void (image && URL.revokeObjectURL(image.src)), [image]);

  async function open(file: File | undefined) {
    if (!file) return;
    setMessage(null);
    const opened = await loadImage(file);
    if (opened) setImage(opened);
    else setMessage({ text: t("unreadable"), isError: true });
  }
  async function removePicture() {
    try {
      await remove.mutateAsync();
    } catch {
      // The notice shows the error.
      return;
    }
    setMessage({ text: t("pictureRemoved"), isError: false });
    // The pressed button disappears with the picture.
    chooseButton.current?.focus();
  }

  return (
    <div className="flex items-center gap-4 border-b border-line py-4">
      <Avatar id={account.id} name={account.username} url={account.avatar_url} size="xl" />
      <div className="min-w-0">
        <ErrorNotice error={remove.error} className="mb-2" />
        <input
          ref={input}
          type="file"
          accept={ACCEPTED_TYPES}
          hidden
          data-picture
          onChange={({ target }) => {
            void open(target.files?.[0]);
            // Choosing the same file again is a change too.
            target.value = "";
          }}
        />
        <div className="flex flex-wrap gap-2">
          <Button ref={chooseButton} icon={Upload} onClick={() => input.current?.click()}>
            {t(account.avatar_url ? "change" : "upload")}
          </Button>
          {account.avatar_url && (
            <Button icon={Trash2} variant="ghost" pending={remove.isPending} onClick={() => void removePicture()}>
              {t("remove")}
            </Button>
          )}
        </div>
        <p role="status" className={message?.isError ? "mt-1.5 text-sm text-danger" : "mt-1.5 text-sm text-text-3"}>
          {message?.text ?? t("pictureHint")}
        </p>
      </div>
      {image && (
        <CropDialog
          image={image}
          onSaved={() => {
            setImage(null);
            setMessage({ text: t("pictureSaved"), isError: false });
          }}
          onClose={() => setImage(null)}
        />
      )}
    </div>
  );
}

/** Returns null for a file that the browser cannot show as a picture. */
async function loadImage(file: File): Promise<HTMLImageElement | null> {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  try {
    await image.decode();
    // Vector graphics without a size of their own have none.
    if (image.naturalWidth > 0) return image;
  } catch {
    // Reported by the result.
  }
  URL.revokeObjectURL(image.src);
  return null;
}
