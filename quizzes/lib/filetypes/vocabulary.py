"""The elements and attributes a drawing may have: shapes, words, colours; nothing that acts."""

from typing import Final

ELEMENTS: Final = frozenset(
    """
    svg g defs symbol use title desc style switch
    path rect circle ellipse line polyline polygon text tspan textPath
    linearGradient radialGradient stop pattern clipPath mask marker
    filter feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood feFuncA
    feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset
    """.split()
)

# Said about the drawing, never drawn.
LEFT_OUT: Final = frozenset({"metadata", "view"})

ATTRIBUTES: Final = frozenset(
    """
    id class style role version viewBox preserveAspectRatio width height x y x1 y1 x2 y2 cx cy r rx
    ry fx fy fr dx dy d points pathLength transform rotate textLength lengthAdjust startOffset
    method spacing side offset gradientUnits gradientTransform spreadMethod patternUnits
    patternContentUnits patternTransform clipPathUnits maskUnits maskContentUnits markerWidth
    markerHeight markerUnits refX refY orient filterUnits primitiveUnits in in2 result mode type
    values k1 k2 k3 k4 operator radius stdDeviation edgeMode slope intercept amplitude exponent
    tableValues flood-color flood-opacity lang aria-label aria-hidden aria-labelledby
    aria-describedby
    alignment-baseline baseline-shift clip-path clip-rule color color-interpolation
    color-interpolation-filters direction display dominant-baseline enable-background fill
    fill-opacity fill-rule filter font-family font-size font-size-adjust font-stretch font-style
    font-variant font-weight image-rendering isolation letter-spacing marker marker-end marker-mid
    marker-start mask mask-type mix-blend-mode opacity overflow paint-order shape-rendering
    stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset stroke-linecap
    stroke-linejoin stroke-miterlimit stroke-opacity stroke-width text-anchor text-decoration
    text-rendering transform-origin unicode-bidi vector-effect visibility white-space word-spacing
    writing-mode
    """.split()
)
