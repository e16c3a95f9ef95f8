/** Determines the kind of a file from its name. */

const EXTENSIONS = {
  audio: new Set("wav wave w64 aif aiff aifc flac mp3 m4a aac alac ogg oga opus wma caf mka".split(" ")),
  video: new Set("mp4 m4v mov mkv webm avi mpg mpeg ogv".split(" ")),
  image: new Set("jpg jpeg png gif webp avif bmp tif tiff heic".split(" ")),
};

/** "wav" for "mix.final.wav"; "" if the name has no extension. */
export const extensionOf = (name: string): string => /[^.]\.([^.\s]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? "";

/** Returns the kind that the name's extension stands for; any other file is a document. */
export function kindOfName(name: string): "audio" | "video" | "image" | "document" {
  const extension = extensionOf(name);
  for (const kind of ["audio", "video", "image"] as const) if (EXTENSIONS[kind].has(extension)) return kind;
  return "document";
}
