/** Processing states of files; the list is open, and an unknown state counts as done. */

/** Returns true while processing continues by itself. */
export const isProcessing = (transcodingStatus: string): boolean => transcodingStatus === "waiting" || transcodingStatus === "transcoding";

export const hasFailed = (transcodingStatus: string): boolean => transcodingStatus === "failed";
