/** Extracts the texts that people search for from the tags embedded in an audio file. */

interface Annotated {
  annotations?: Readonly<Record<string, unknown>>;
}
export interface AnnotationText {
  source: "lyrics" | "notes";
  text: string;
}

const SOURCES: readonly [AnnotationText["source"], RegExp][] = [
  ["lyrics", /^(unsynced ?)?lyrics(-[a-z]{2,3})?$/i],
  ["notes", /^(comments?|description|long ?description|notes?|synopsis)$/i],
];

/** `probe`: a version's column of that name. */
export function findAnnotationTexts(probe: string | null): AnnotationText[] {
  const { annotations = {} } = (probe === null ? {} : JSON.parse(probe)) as Annotated;
  return SOURCES.flatMap(([source, pattern]) => {
    const values = Object.entries(annotations).flatMap(([name, value]) => (pattern.test(name) ? [value].flat() : []));
    const texts = new Set(values.filter((value) => typeof value === "string" && value.trim() !== ""));
    return texts.size === 0 ? [] : [{ source, text: [...texts].join("\n\n") }];
  });
}
