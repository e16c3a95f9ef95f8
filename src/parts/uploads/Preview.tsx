import { File, FileAudio, FileImage, FileVideo } from "lucide-react";
import { useEffect, useState } from "react";

/** Formats that every browser shows; larger images would take too much memory for a preview. */
const PREVIEWABLE = /^image\/(png|jpeg|gif|webp|avif)$/;
const MAX_PREVIEW_BYTES = 30_000_000;

function useObjectUrl(file: Blob | null): string | null {
  const [url, setUrl] = useState<string | null>(null);
  useEffect(() => {
    if (!file) return;
    const objectUrl = URL.createObjectURL(file);
    setUrl(objectUrl);
    return () => {
      URL.revokeObjectURL(objectUrl);
      setUrl(null);
    };
  }, [file]);
  return url;
}

function Icon({ type }: { type: string }) {
  if (type.startsWith("audio/")) return <FileAudio size={20} aria-hidden />;
  if (type.startsWith("image/")) return <FileImage size={20} aria-hidden />;
  if (type.startsWith("video/")) return <FileVideo size={20} aria-hidden />;
  return <File size={20} aria-hidden />;
}

/** Shows a local file as a small preview if it is an image, otherwise an icon of its kind. */
export function Preview({ file, type }: { file: Blob | null; type: string }) {
  const url = useObjectUrl(file && PREVIEWABLE.test(type) && file.size <= MAX_PREVIEW_BYTES ? file : null);
  const [broken, setBroken] = useState(false);
  return (
    <span className="flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-md bg-hover text-text-2">
      {url !== null && !broken ? <img src={url} alt="" className="size-full object-cover" onError={() => setBroken(true)} /> : <Icon type={type} />}
    </span>
  );
}
