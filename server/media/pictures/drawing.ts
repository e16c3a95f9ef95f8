/** Turns a drawing that the service made itself into a picture. */
import sharp from "sharp";

/** `svg` without text: what a machine has of fonts is not known. */
export const svgToPng = (svg: string): Promise<Buffer> => sharp(Buffer.from(svg)).png({ palette: true, quality: 90 }).toBuffer();
