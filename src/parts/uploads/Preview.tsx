import { File, FileAudio, FileImage, FileVideo } from "lucide-react";
import { useEffect, useState } from "react";

/** Pictures that every browser shows; larger ones would cost more memory than a glance is worth. */
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

/** A small picture of a file that is here: itself where it is one, else its kind. */
export function Preview({ file, type }: { file: Blob | null; type: string }) {
  const url = useObjectUrl(file && PREVIEWABLE.test(type) && file.size <= MAX_PREVIEW_BYTES ? file : null);
  const [broken, setBroken] = useState(false);
  return (
    <span className="flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-md bg-hover text-text-2">
      {url !== null && !broken ? <img src={url} alt="" className="size-full object-cover" onError={() => setBroken(true)} /> : <Icon type={type} />}
    </span>
  );
}
