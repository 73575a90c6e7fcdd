// A stand-in for the parts of Metal's library that printed functions use, to run them on a CPU: no Metal compiler is at
// hand. Swizzles are functions here (.xy()), into which the test turns them; samples ask the test's reference unit.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

template <class T, int N>
struct vec {
    T v[N];
    vec() = default;
    template <class A>
        requires std::is_arithmetic_v<A>
    explicit vec(A a) { for (int i = 0; i < N; i++) v[i] = T(a); }
    template <class U>
        requires(!std::is_same_v<U, T>)
    explicit vec(vec<U, N> a) { for (int i = 0; i < N; i++) v[i] = T(a.v[i]); }
    template <class A, class B, class... C>
    vec(A a, B b, C... c) { int at = 0; put(at, a); put(at, b); (put(at, c), ...); }
    template <class A>
    void put(int& at, A a) {
        if constexpr (std::is_arithmetic_v<A>) v[at++] = T(a);
        else for (auto one : a.v) v[at++] = T(one);
    }
    T operator[](int at) const { return v[at]; }
    T x() const { return v[0]; }
    T y() const { return v[1]; }
    T z() const { return v[2]; }
    T w() const { return v[3]; }
    vec<T, 2> xy() const { return {v[0], v[1]}; }
    vec<T, 2> zw() const { return {v[2], v[3]}; }
    vec<T, 2> wz() const { return {v[3], v[2]}; }
    vec<T, 3> zwz() const { return {v[2], v[3], v[2]}; }
    vec<T, 3> wzw() const { return {v[3], v[2], v[3]}; }
    vec<T, 3> xyz() const { return {v[0], v[1], v[2]}; }
    vec<T, 4> yxwz() const { return {v[1], v[0], v[3], v[2]}; }
    vec<T, 4> wzyx() const { return {v[3], v[2], v[1], v[0]}; }
};
using float2 = vec<float, 2>;
using float3 = vec<float, 3>;
using float4 = vec<float, 4>;
using int2 = vec<int, 2>;
using int3 = vec<int, 3>;
using uint = uint32_t;
using uint2 = vec<uint, 2>;
using uint3 = vec<uint, 3>;
using bool2 = vec<bool, 2>;
using bool3 = vec<bool, 3>;
using bool4 = vec<bool, 4>;
using packed_float3 = float3;
#define constant const

#define OPERATOR(op)                                                                                                   \
    template <class T, int N> auto operator op(vec<T, N> a, vec<T, N> b) {                                             \
        vec<decltype(a.v[0] op b.v[0]), N> made;                                                                       \
        for (int i = 0; i < N; i++) made.v[i] = a.v[i] op b.v[i];                                                      \
        return made;                                                                                                   \
    }                                                                                                                  \
    template <class T, int N> auto operator op(vec<T, N> a, T b) { return a op vec<T, N>(b); }                         \
    template <class T, int N> auto operator op(T a, vec<T, N> b) { return vec<T, N>(a) op b; }
OPERATOR(+)
OPERATOR(-)
OPERATOR(*)
OPERATOR(/)
OPERATOR(>>)
OPERATOR(<)
OPERATOR(<=)
OPERATOR(==)
OPERATOR(!=)
#define FUNCTION(name, one)                                                                                            \
    inline float name(float a) { return one(a); }                                                                      \
    template <int N> vec<float, N> name(vec<float, N> a) { for (auto& x : a.v) x = one(x); return a; }
namespace metal {
FUNCTION(abs, std::fabs)
FUNCTION(floor, std::floor)
FUNCTION(ceil, std::ceil)
FUNCTION(exp2, std::exp2)
FUNCTION(log2, std::log2)
FUNCTION(sqrt, std::sqrt)
FUNCTION(rint, std::nearbyint)
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline int min(int a, int b) { return a < b ? a : b; }
inline int max(int a, int b) { return a < b ? b : a; }
template <class T, int N> vec<T, N> min(vec<T, N> a, vec<T, N> b) { for (int i = 0; i < N; i++) a.v[i] = min(a.v[i], b.v[i]); return a; }
template <class T, int N> vec<T, N> max(vec<T, N> a, vec<T, N> b) { for (int i = 0; i < N; i++) a.v[i] = max(a.v[i], b.v[i]); return a; }
template <class T> T clamp(T a, T low, T high) { return min(max(a, low), high); }
template <int N> float dot(vec<float, N> a, vec<float, N> b) { float all = 0; for (int i = 0; i < N; i++) all += a.v[i] * b.v[i]; return all; }
template <class T, int N> vec<T, N> select(vec<T, N> no, vec<T, N> yes, vec<bool, N> flag) { for (int i = 0; i < N; i++) no.v[i] = flag.v[i] ? yes.v[i] : no.v[i]; return no; }
template <int N> vec<bool, N> operator!(vec<bool, N> a) { for (auto& x : a.v) x = !x; return a; }
}  // namespace metal
using namespace metal;
template <int N> vec<float, N> operator-(vec<float, N> a) { for (auto& x : a.v) x = -x; return a; }
template <class T, class U> T as_type(U bits) { T made; std::memcpy(&made, &bits, 4); return made; }

struct sampler {};
struct level { float lod; explicit level(float lod) : lod(lod) {} };
struct bias { float lod; explicit bias(float lod) : lod(lod) {} };
template <int N> struct gradient { vec<float, N> along_x, along_y; };
using gradient2d = gradient<2>;
using gradient3d = gradient<3>;
using gradientcube = gradient<3>;
enum class component { x, y, z, w };
enum Way { IMPLICIT, BIAS, LEVEL, GRAD, GATHER, ALONG_X, ALONG_Y };
//! What a fragment asks of the others, or of the reference unit; `place` may be any vector.
struct Asked { float place[4], along[2][3], lod, reference; int offset[3], component, way; };
extern "C" { Asked* asked; const float (*answers)[4]; int sizes[4]; }  // width, height, depth, levels
inline float4 ask(const Asked& one) {
    *asked++ = one;
    const float* got = *answers++;
    return float4(got[0], got[1], got[2], got[3]);
}
inline void put(float* to, float a) { *to = a; }
template <int N> void put(float* to, vec<float, N> a) { std::memcpy(to, a.v, sizeof a.v); }
inline void take(Asked& one, level a) { one.lod = a.lod; one.way = LEVEL; }
inline void take(Asked& one, bias a) { one.lod = a.lod; one.way = BIAS; }
template <int N> void take(Asked& one, gradient<N> a) { put(one.along[0], a.along_x); put(one.along[1], a.along_y); one.way = GRAD; }
template <int N> void take(Asked& one, vec<int, N> a) { std::memcpy(one.offset, a.v, sizeof a.v); }
inline void take(Asked& one, component a) { one.component = int(a); }
template <class T> T derived(T a, Way way) {
    Asked one{};
    put(one.place, a);
    one.way = way;
    float4 got = ask(one);
    std::memcpy(&a, got.v, sizeof a);
    return a;
}
template <class T> T dfdx(T a) { return derived(a, ALONG_X); }
template <class T> T dfdy(T a) { return derived(a, ALONG_Y); }

template <int SPATIAL, bool LAYERS>
struct texture {
    using place = std::conditional_t<SPATIAL == 1, float, vec<float, SPATIAL == 1 ? 2 : SPATIAL>>;
    int get_width(int at = 0) const { return std::max(sizes[0] >> at, 1); }
    int get_height(int at = 0) const { return std::max(sizes[1] >> at, 1); }
    int get_depth(int at = 0) const { return std::max(sizes[2] >> at, 1); }
    int get_num_mip_levels() const { return sizes[3]; }
    template <class... O> static float4 read(Way way, float reference, place p, uint layer, O... rest) {
        Asked one{};
        put(one.place, p);
        if (LAYERS) one.place[SPATIAL] = layer;
        one.reference = reference;
        one.way = way;
        (take(one, rest), ...);
        return ask(one);
    }
    template <class... O> float4 sample(sampler, place p, O... rest) const requires(!LAYERS) { return read(IMPLICIT, 0, p, 0, rest...); }
    template <class... O> float4 sample(sampler, place p, uint layer, O... rest) const requires(LAYERS) { return read(IMPLICIT, 0, p, layer, rest...); }
    template <class... O> float sample_compare(sampler, place p, float ref, O... rest) const requires(!LAYERS) { return read(IMPLICIT, ref, p, 0, rest...).v[0]; }
    template <class... O> float sample_compare(sampler, place p, uint layer, float ref, O... rest) const requires(LAYERS) { return read(IMPLICIT, ref, p, layer, rest...).v[0]; }
    template <class... O> float4 gather(sampler, place p, O... rest) const requires(!LAYERS) { return read(GATHER, 0, p, 0, rest...); }
    template <class... O> float4 gather(sampler, place p, uint layer, O... rest) const requires(LAYERS) { return read(GATHER, 0, p, layer, rest...); }
    template <class... O> float4 gather_compare(sampler, place p, float ref, O... rest) const requires(!LAYERS) { return read(GATHER, ref, p, 0, rest...); }
    template <class... O> float4 gather_compare(sampler, place p, uint layer, float ref, O... rest) const requires(LAYERS) { return read(GATHER, ref, p, layer, rest...); }
};
template <class T> using texture1d = texture<1, false>;
template <class T> using texture1d_array = texture<1, true>;
template <class T> using texture2d = texture<2, false>;
template <class T> using texture2d_array = texture<2, true>;
template <class T> using texture3d = texture<3, false>;
template <class T> using texturecube = texture<3, false>;
template <class T> using texturecube_array = texture<3, true>;
template <class T> using depth2d = texture<2, false>;
template <class T> using depth2d_array = texture<2, true>;
template <class T> using depthcube = texture<3, false>;
template <class T> using depthcube_array = texture<3, true>;
