/** Cheap and generous: every text with a link passes, most without do not. What finds the links is `links.ts`. */
export const mayHaveLinks = (text: string): boolean => /:\/\/|@|mailto:|\S\.\p{L}{2}/iu.test(text);
