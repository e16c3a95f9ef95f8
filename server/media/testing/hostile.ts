/** Builds malicious files, including files that reference other files or hosts. */
import { crc32 } from "node:zlib";
import sharp from "sharp";

/** Returns a PNG whose header declares this size with a valid checksum. */
export async function hugePng(width: number, height: number): Promise<Buffer> {
  const png = await sharp({ create: { width: 8, height: 8, channels: 3, background: "#a40" } })
    .png()
    .toBuffer();
  png.writeUInt32BE(width, 16);
  png.writeUInt32BE(height, 20);
  png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
  return png;
}

/** Path of MP4 boxes from the outermost to the one that declares where the samples are stored. */
const DATA_REFERENCE = ["moov", "trak", "mdia", "minf", "dinf", "dref"];

/** Returns the MP4 with its samples declared to be at `address`. The MP4 must have its index at the end. */
export function withExternalSamples(mp4: Buffer, address: string): Buffer {
  const entry = Buffer.from(`....url ....${address}\0`, "latin1");
  entry.writeUInt32BE(entry.length, 0);
  // Version and flags 0 mean that the samples are not in this file.
  entry.writeUInt32BE(0, 8);
  const parents: number[] = [];
  let at = 0;
  for (const name of DATA_REFERENCE) {
    const boxStart = mp4.indexOf(name, at, "latin1") - 4;
    if (boxStart < 0) throw new Error(`No ${name} box`);
    parents.push(boxStart);
    at = boxStart + 8;
  }
  const dref = parents.at(-1)!;
  const from = dref + 16;
  const oldSize = mp4.readUInt32BE(from);
  const out = Buffer.concat([mp4.subarray(0, from), entry, mp4.subarray(from + oldSize)]);
  for (const parent of parents) out.writeUInt32BE(out.readUInt32BE(parent) + entry.length - oldSize, parent);
  return out;
}

/** Returns every kind of reference to another file or host that a media program might follow, keyed by file name. */
export const externalReferences = (target: string): Record<string, string> => ({
  "list.m3u8": `#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`,
  "key.m3u8": `#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI="${target}"\n#EXT-X-MAP:URI="${target}"\n#EXTINF:1,\n${target}\n#EXT-X-ENDLIST\n`,
  "concat.wav": `ffconcat version 1.0\nfile '${target}'\n`,
  "old concat.mp3": `file '${target}'\nfile '${target}'\n`,
  "dash.mpd": `<?xml version="1.0"?><MPD xmlns="urn:mpeg:dash:schema:mpd:2011" type="static" mediaPresentationDuration="PT1S"><Period><AdaptationSet mimeType="audio/mp4"><Representation id="1" bandwidth="1"><BaseURL>${target}</BaseURL></Representation></AdaptationSet></Period></MPD>`,
  "radio.pls": `[playlist]\nFile1=${target}\nNumberOfEntries=1\n`,
  "old.asx": `<asx version="3.0"><entry><ref href="${target}"/></entry></asx>`,
  "session.sdp": "v=0\r\no=- 0 0 IN IP4 127.0.0.1\r\ns=x\r\nc=IN IP4 127.0.0.1\r\nt=0 0\r\nm=audio 5004 RTP/AVP 0\r\n",
  "picture.svg": `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"><script>fetch("${target}")</script><image xlink:href="${target}" width="9" height="9"/></svg>`,
  "page.html": `<!doctype html><script src="${target}"></script><img src="${target}">`,
  "entity.wav": `<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e SYSTEM "${target}">]><x>&e;</x>`,
  "tagged.mp3": `ID3\x04\0\0\0\0\0\0#EXTM3U\n${target}\n`,
  "padded.mp3": `\0\0\0\0#EXTM3U\n#EXTINF:1,\n${target}\n`,
  "dressed.wav": `RIFF\x40\0\0\0WAVE#EXTM3U\n#EXTINF:1,\n${target}\n`,
});
