#include "figures/draw/labels.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/portable_math.hpp"

namespace figures {
namespace {

constexpr double line_spacing = 1.25;
constexpr double impossible = 1e9;
constexpr double clearance = 1.5;
constexpr double word_space =
    3;  // at the ends of a label, so that two labels on one line stay apart
constexpr double wording_cost = 2.5;    // cost of each shorter wording
constexpr double leader_weight = 0.06;  // a leader may cross a line, text should not
constexpr double dispensable = 18;      // an offered label is dropped above this cost
constexpr std::size_t stretch = 16;     // lines per stretch
constexpr double dot_radius = 9;        // a leader starts here, a little outside the dot

Box block_at(const Place& place, Size size) {
  Box box;
  box.left = place.anchor.x - size.width * (place.across + 1) / 2;
  box.top = place.anchor.y - size.height * (place.down + 1) / 2;
  box.right = box.left + size.width;
  box.bottom = box.top + size.height;
  return box;
}

// The angle of a unit vector in degrees, computed with portable arithmetic so that all builds give
// the same bits.
double degrees_of(double cosine, double sine) {
  const bool steep = std::fabs(sine) > std::fabs(cosine);
  const double ratio = steep ? cosine / sine : sine / cosine;
  // Halve the argument of arctan twice, then sum its series.
  double t = ratio;
  for (int i = 0; i < 2; ++i) t = t / (1 + std::sqrt(1 + t * t));
  double sum = 0;
  for (int n = 15; n >= 1; n -= 2) sum = 1.0 / n - sum * t * t;
  const double degrees = 4 * sum * t * 57.29577951308232;
  return steep ? (sine > 0 ? 90 - degrees : -90 - degrees) : degrees;
}

Point nearest_on(const Box& box, Point p) {
  return {std::clamp(p.x, box.left, box.right), std::clamp(p.y, box.top, box.bottom)};
}

double distance_to(const Box& box, Point p) {
  const Point near = nearest_on(box, p);
  return std::sqrt((near.x - p.x) * (near.x - p.x) + (near.y - p.y) * (near.y - p.y));
}

// The leader from the block to a point at `radius` from the target.
Quad leader_between(const Box& block, Point dot, double radius) {
  const Point end = nearest_on(block, dot);
  const double dx = end.x - dot.x, dy = end.y - dot.y;
  const double skip = std::min(0.9, radius / std::max(1.0, std::sqrt(dx * dx + dy * dy)));
  return quad_of({dot.x + dx * skip, dot.y + dy * skip}, end);
}

}  // namespace

double text_width(std::string_view text, const TextStyle& style) {
  return text_width(said(style.words, text), style.size, style.weight);
}

double block_width(const std::vector<TextLine>& lines) {
  double width = 0;
  for (const TextLine& line : lines) width = std::max(width, text_width(line.text, line.style));
  return width;
}

double block_height(const std::vector<TextLine>& lines) {
  double height = 0;
  for (const TextLine& line : lines) height += line.style.size * line_spacing;
  return height;
}

std::vector<Labels::Wording> wordings(
    const TextStyle& style, std::initializer_list<std::initializer_list<std::string_view>> texts) {
  std::vector<Labels::Wording> out;
  for (const auto& lines : texts) {
    Labels::Wording wording(lines.size(), TextLine{{}, style});
    for (std::size_t i = 0; i < lines.size(); ++i) wording[i].text = lines.begin()[i];
    out.push_back(std::move(wording));
  }
  return out;
}

std::string fitted(std::string_view text, const TextStyle& style, double width) {
  if (text_width(text, style) <= width) return std::string(text);
  std::string cut = said(style.words, text.substr(0, 400));
  while (!cut.empty()) {
    while (!cut.empty() && (cut.back() & 0xC0) == 0x80) cut.pop_back();
    if (!cut.empty()) cut.pop_back();
    while (!cut.empty() && cut.back() == ' ') cut.pop_back();
    if (text_width(cut + "…", style.size, style.weight) <= width) return cut + "…";
  }
  return {};
}

std::vector<Place> around(Point p, double distance) {
  constexpr struct {
    int across, down;
    double cost;
  } near[] = {{-1, 0, 0},   {1, 0, 0.5},  {-1, -1, 0.6}, {1, 1, 0.7},
              {-1, 1, 0.8}, {1, -1, 0.9}, {0, 1, 1},     {0, -1, 1}};
  std::vector<Place> places;
  places.reserve(std::size(near) + 14 * 16);
  for (const auto& [across, down, cost] : near) {
    const double reach = across != 0 && down != 0 ? distance * 0.75 : distance;
    places.push_back({{p.x - across * reach, p.y - down * reach}, across, down, 1, 0, cost});
  }
  for (int ring = 2; ring <= 15; ++ring) {
    const double r = distance * ring;
    for (const int down : {1, -1, 0}) {
      for (const int across : {-1, 1, 0}) {
        if (across == 0 && down == 0) continue;
        const double reach = across != 0 && down != 0 ? 0.7 * r : r;
        Place place{
            {p.x - across * reach, p.y - down * reach}, across, down, 1, 0, 2.0 + ring, true};
        places.push_back(place);
        // Directions between the eight main ones, for dots whose main directions are taken.
        if (across == 0 || down == 0) continue;
        place.cost += 0.4;
        place.anchor = {p.x - across * 0.95 * r, p.y - down * 0.35 * r};
        places.push_back(place);
        place.anchor = {p.x - across * 0.35 * r, p.y - down * 0.95 * r};
        places.push_back(place);
      }
    }
  }
  return places;
}

std::vector<Place> along(Point from, Point to, double gap, double preferred) {
  std::vector<Place> places;
  const double dx = to.x - from.x, dy = to.y - from.y;
  const double length = std::sqrt(dx * dx + dy * dy);
  if (!(length > 1)) return places;
  const double cosine = dx / length, sine = dy / length;
  for (int step = 0; step <= 20; ++step) {
    const double t = step / 20.0;
    const double cost = std::fabs(t - preferred) * 4;
    // Keep the block away from the ends of the line: left-aligned in the first third, right-aligned
    // in the last.
    const int across = t < 0.34 ? -1 : t > 0.66 ? 1 : 0;
    for (const int down : {1, -1}) {
      const Point on{from.x + dx * t, from.y + dy * t};
      const Point anchor{on.x + down * gap * sine, on.y - down * gap * cosine};
      places.push_back({anchor, across, down, cosine, sine, cost + (down == 1 ? 0 : 1.5)});
    }
  }
  return places;
}

std::vector<Place> beside(Point from, Point to, double gap, double preferred) {
  std::vector<Place> places = along(from, to, gap, preferred);
  for (const double t : {0.5, 0.2, 0.8}) {
    const Point on{from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t};
    for (Place place : around(on, 12)) {
      place.cost += 7;
      place.leader = true;
      place.target = on;
      places.push_back(place);
    }
  }
  return places;
}

double Labels::cost_of(const Quad& area, double enough, double weight) const {
  if (!inside(area, bounds_)) return impossible;
  const Box box = bounds_of(area);
  double cost = 0;
  for (std::size_t first = 0; first < lines_.size(); first += stretch) {
    if (apart(box, stretches_[first / stretch])) continue;
    for (std::size_t i = first; i < std::min(first + stretch, lines_.size()); ++i) {
      const Line& line = lines_[i];
      if (!apart(box, line.box) && overlap(area, line.segment)) cost += line.cost * weight;
      if (cost >= enough) return impossible;
    }
  }
  for (const Solid& other : solid_)
    if (!apart(box, other.box) && overlap(area, other.area)) return impossible;
  return cost;
}

void Labels::discourage(Point from, Point to, double cost) {
  const Quad segment = quad_of(from, to);
  const Box box = bounds_of(segment);
  if (lines_.size() % stretch == 0) stretches_.push_back(box);
  Box& all = stretches_.back();
  all = {std::min(all.left, box.left), std::min(all.top, box.top), std::max(all.right, box.right),
         std::max(all.bottom, box.bottom)};
  lines_.push_back({segment, box, cost});
}

void Labels::add_dot(Point center, double reach) {
  dots_.push_back(center);
  const Point p = center;
  keep_clear(quad_of(Box{p.x - reach, p.y - reach, p.x + reach, p.y + reach}));
}

double Labels::confusion(const Box& block, Point own) const {
  const double distance = distance_to(block, own);
  double cost = 0;
  for (const Point& dot : dots_) {
    const bool other = dot.x != own.x || dot.y != own.y;
    if (other && distance_to(block, dot) < distance + 4) cost += 12;
  }
  return cost;
}

void Labels::improve(Placed& best, const Wording& lines, Size size, const Place& place,
                     double extra, std::optional<Point> dot) const {
  double cost = place.cost + extra;
  if (cost >= best.cost) return;
  const Box block = block_at(place, size);
  const Quad area =
      turned(quad_of(grown(block, clearance)), place.anchor, place.cosine, place.sine);
  cost += cost_of(area, best.cost - cost, 1);
  if (dot && cost < best.cost) cost += confusion(block, *dot);
  Quad line{};
  if (place.leader && cost < best.cost) {
    line = dot ? leader_between(block, *dot, dot_radius) : leader_between(block, place.target, 1);
    cost += cost_of(line, best.cost - cost, leader_weight);
  }
  if (cost < best.cost) best = {lines, place, block, line, cost};
}

bool Labels::put(const std::vector<Wording>& wordings, const std::vector<Place>& places,
                 std::optional<Point> dot, double limit) {
  Placed best{{}, {}, {}, {}, limit};
  for (std::size_t i = 0; i < wordings.size(); ++i) {
    const Size size{block_width(wordings[i]), block_height(wordings[i])};
    for (const Place& place : places)
      improve(best, wordings[i], size, place, wording_cost * static_cast<double>(i), dot);
  }
  if (best.cost >= limit) return false;
  Box kept = grown(best.block, clearance);
  kept.left -= word_space, kept.right += word_space;
  keep_clear(turned(quad_of(kept), best.place.anchor, best.place.cosine, best.place.sine));
  if (best.place.leader) keep_clear(best.leader);
  placed_.push_back(std::move(best));
  return true;
}

bool Labels::place(const std::vector<Wording>& wordings, const std::vector<Place>& places,
                   std::optional<Point> dot) {
  if (put(wordings, places, dot, impossible)) return true;
  omitted_.push_back(wordings.front().front().text);
  return false;
}

bool Labels::offer(const std::vector<Wording>& wordings, const std::vector<Place>& places,
                   std::optional<Point> dot) {
  return put(wordings, places, dot, dispensable);
}

void Labels::draw(Svg& svg, std::string_view paper, std::string_view leader_stroke) const {
  for (const Placed& label : placed_) {
    if (!label.place.leader) continue;
    const Quad& line = label.leader;
    svg.begin_line(line[0], line[1]).set("stroke", leader_stroke).end();
  }
  svg.begin("g").set("stroke", paper).set("stroke-width", "3").set("stroke-linejoin", "round");
  svg.set("paint-order", "stroke");
  for (const Placed& label : placed_) {
    double top = label.block.top;
    const Place& place = label.place;
    for (const TextLine& line : label.lines) {
      const double height = line.style.size * line_spacing;
      // Center the cap height in the line's slot and rotate the baseline with the block.
      const double baseline = top + (height + line.style.size * cap_height) / 2;
      const double x = label.block.left + label.block.width() * (place.across + 1) / 2;
      const Quad at = turned({{{x, baseline}, {}, {}, {}}}, place.anchor, place.cosine, place.sine);
      const bool flat = place.sine == 0;
      draw_text(svg, line, at[0], place.across, flat ? 0 : degrees_of(place.cosine, place.sine));
      top += height;
    }
  }
  svg.end();
}

void draw_text(Svg& svg, const TextLine& line, Point baseline, int across, double degrees) {
  svg.begin("text");
  if (degrees != 0) {
    svg.set("transform", "translate(" + fixed(baseline.x, 1) + " " + fixed(baseline.y, 1) +
                             ")rotate(" + fixed(degrees, 2) + ")");
  } else {
    svg.set("x", baseline.x).set("y", baseline.y);
  }
  if (across >= 0) svg.set("text-anchor", across == 0 ? "middle" : "end");
  svg.set("font-size", line.style.size);
  if (line.style.weight == Weight::semibold) svg.set("font-weight", "600");
  svg.set("fill", line.style.fill).text(said(line.style.words, line.text)).end();
}

}  // namespace figures
