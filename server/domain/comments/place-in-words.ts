/** Formats the text of a message that shows a comment, for clients that display only text: file name and position. */

const formatTime = (ms: number): string => {
  const seconds = Math.floor(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const pad = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(seconds % 60)}` : `${minutes}:${pad(seconds % 60)}`;
};

/** Returns "mix_v4.wav 1:23" or "mix_v4.wav 2:10–2:18". */
export function formatPosition(fileName: string, positionMs: number | null, endMs: number | null): string {
  if (positionMs === null) return fileName;
  return endMs === null ? `${fileName} ${formatTime(positionMs)}` : `${fileName} ${formatTime(positionMs)}–${formatTime(endMs)}`;
}
