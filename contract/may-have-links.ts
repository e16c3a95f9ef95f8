/** Cheap pre-check for links: every text with a link passes, most texts without one do not. `links.ts` finds the actual links. */
export const mayHaveLinks = (text: string): boolean => /:\/\/|@|mailto:|\S\.\p{L}{2}/iu.test(text);
