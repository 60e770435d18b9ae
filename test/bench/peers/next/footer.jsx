"use client";

// The footer has a context, which Next.js allows in what it calls client components only.
export { Footer } from "../built/footer.js";
