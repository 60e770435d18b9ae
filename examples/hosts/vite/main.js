import { defineStorefrontElements } from "@storefront-fragments/client/element";

defineStorefrontElements();
addEventListener("popstate", show);
for (const link of document.querySelectorAll("nav a"))
  link.addEventListener("click", (event) => {
    event.preventDefault();
    history.pushState(null, "", link.href);
    show();
  });
show();

function show() {
  document.querySelector("h1").textContent = location.pathname === "/about" ? "Über uns" : "Start";
}
