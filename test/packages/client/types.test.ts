import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { ComponentProps, JSX } from "react";
import { expectTypeOf, it } from "vitest";
import type { AnswerData } from "../../../packages/client/answers.ts";
import { storefront } from "../../../packages/client/express.ts";
import {
  createFragments,
  type Fragment,
  type FragmentName,
  type FragmentParameters,
  type Fragments,
  type Visitor,
} from "../../../packages/client/index.ts";
import type { StorefrontFooter, StorefrontHead } from "../../../packages/client/react.tsx";
import { stubFragments } from "../../../packages/client/testing.ts";
import type { FooterParameters, FragmentData, NewsletterParameters } from "../../../schemas/types.ts";

/** Parameters that may be left out by `undefined`. */
type Undecided<Parameters> = { [Name in keyof Parameters]: Parameters[Name] | undefined };

it("parameters and answers are those of the service", () => {
  expectTypeOf<FragmentData>().toExtend<AnswerData>();
  expectTypeOf<Required<FragmentParameters["footer"]>>().toEqualTypeOf<
    Undecided<Required<Omit<FooterParameters, "assets">>>
  >();
  expectTypeOf<Required<FragmentParameters["newsletter"]>>().toEqualTypeOf<
    Undecided<Required<Omit<NewsletterParameters, "assets">>>
  >();
  expectTypeOf<FragmentName>().toEqualTypeOf<"footer" | "header" | "newsletter" | "head">();
});

it("each fragment takes its own parameters, which may be left out", () => {
  const get = (fragments: Fragments) => fragments.get("footer", "DE", { reduced: true });
  expectTypeOf(get).returns.resolves.toEqualTypeOf<Fragment>();
  expectTypeOf<Fragment["state"]>().toEqualTypeOf<"fresh" | "stale" | "fallback" | "absent">();
  expectTypeOf<{ origin: "NEWSLETTER" }>().not.toExtend<FragmentParameters["footer"]>();
  expectTypeOf<{ reduced: true }>().not.toExtend<FragmentParameters["newsletter"]>();
  expectTypeOf<{ reduced: "true" }>().not.toExtend<FragmentParameters["footer"]>();
  expectTypeOf<null | undefined>().toExtend<Parameters<Fragments["get"]>[2]>();
  expectTypeOf<null | undefined>().toExtend<Parameters<Fragments["get"]>[3]>();
});

it("the service's address is required, and nothing else", () => {
  expectTypeOf(createFragments).parameter(0).toExtend<{ service: string | URL }>();
  expectTypeOf<{ service: string }>().toExtend<Parameters<typeof createFragments>[0]>();
  expectTypeOf<{ deadline: number }>().not.toExtend<Parameters<typeof createFragments>[0]>();
  expectTypeOf(stubFragments).returns.toEqualTypeOf<Fragments>();
});

it("the middleware fits Express, and gives its functions the request of the application", () => {
  const middleware = storefront<Request, Response>({} as Fragments, { site: ({ hostname }) => hostname });
  expectTypeOf(middleware).toExtend<RequestHandler>();
  expectTypeOf(middleware).parameters.toExtend<[Request, Response, NextFunction]>();
});

it("components and elements take what the functions take", () => {
  expectTypeOf<ComponentProps<typeof StorefrontFooter>>().toEqualTypeOf<ComponentProps<typeof StorefrontHead>>();
  expectTypeOf<ComponentProps<typeof StorefrontFooter>>().toExtend<Visitor>();
  expectTypeOf<JSX.IntrinsicElements["storefront-footer"]["reduced"]>().toEqualTypeOf<"true" | "false" | undefined>();
  expectTypeOf<JSX.IntrinsicElements["storefront-newsletter"]["origin"]>().toEqualTypeOf<
    FragmentParameters["newsletter"]["origin"]
  >();
});
