import { notFound } from "next/navigation";
import props from "../../../../../built/footer-props.json" with { type: "json" };
import { Footer } from "../../../../footer.jsx";

export const dynamic = "force-dynamic";

/** The footer, rendered for each request. Its block comes as markup, as Next.js lets no component call React's server. */
export default async function Page({ params }) {
  const { site } = await params;
  if (site !== props.site) notFound();
  return <Footer {...props} />;
}
