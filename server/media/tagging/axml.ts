/** Writes the ISRC into the document of the chunk `axml`, as EBU Tech 3352 says: in an identifier of EBU Core. */
import { SaxesParser } from "saxes";

const EBU_CORE = (isrc: string): string => `<?xml version="1.0" encoding="UTF-8"?>
<ebuCoreMain xmlns="urn:ebu:metadata-schema:ebuCore_2012" xmlns:dc="http://purl.org/dc/elements/1.1/">
<coreMetadata><identifier typeLabel="GUID" typeDefinition="Globally Unique Identifier" formatLabel="ISRC" formatDefinition="International Standard Recording Code" formatLink="http://www.ebu.ch/metadata/cs/ebu_IdentifierTypeCodeCS.xml#3.7"><dc:identifier>ISRC:${isrc}</dc:identifier></identifier></coreMetadata>
</ebuCoreMain>
`;
const IDENTIFIER = /^(.*:)?identifier$/;
const ISRC = /^\s*ISRC:\s*[A-Z]{2}-?[A-Z0-9]{3}-?\d{2}-?\d{5}\s*$/i;

/** A part of a document, in characters. */
interface Span {
  start: number;
  end: number;
}

/** Returns the contents of all identifiers that are an ISRC; none for a document that is not well-formed. */
function findIsrcs(document: string): Span[] {
  // Audio scenes are documents of megabytes, and most have no ISRC.
  if (!/isrc/i.test(document)) return [];
  const parser = new SaxesParser();
  const found: Span[] = [];
  let current: { start: number; text: string } | null = null;
  let isDamaged = false;
  parser.on("error", () => void (isDamaged = true));
  parser.on("opentag", ({ name }) => void (current = IDENTIFIER.test(name) ? { start: parser.position, text: "" } : null));
  parser.on("text", (text) => {
    if (current) current.text += text;
  });
  parser.on("closetag", () => {
    if (current && ISRC.test(current.text)) found.push({ start: current.start, end: document.lastIndexOf("</", parser.position - 1) });
    current = null;
  });
  parser.write(document).close();
  return isDamaged ? [] : found;
}

/** Returns the document with the ISRC. One about something else, such as an audio scene, and a damaged one stay as they are. `present`: null to create one. */
export function buildAxml(present: string | null, isrc: string): string {
  if (present === null) return EBU_CORE(isrc);
  return findIsrcs(present).reduceRight((document, { start, end }) => `${document.slice(0, start)}ISRC:${isrc}${document.slice(end)}`, present);
}
