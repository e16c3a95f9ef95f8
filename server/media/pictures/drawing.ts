/** Renders generated SVG drawings to PNG. */
import sharp from "sharp";

/** `svg` must not contain text, because the fonts of the machine are unknown. */
export const svgToPng = (svg: string): Promise<Buffer> => sharp(Buffer.from(svg)).png({ palette: true, quality: 90 }).toBuffer();
